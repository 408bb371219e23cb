package sandbox

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// settle is how long the pipes may stay silent after the end before reading
// them ends too: a process that escaped the end may keep them open for ever.
const settle = 100 * time.Millisecond

// family is the tree of processes of one run.
type family interface {
	// terminate asks the command to end (SIGTERM).
	terminate()
	// kill ends every process that can be found. Called more than once.
	kill()
	// close waits until all processes are gone, says which limits were hit,
	// and removes what the run left on the host. Called once, after kill.
	close() evidence
}

// evidence is what the kernel counted, as opposed to what an exit status hints.
type evidence struct {
	memory, pids bool
}

// run is the part of a Process that is the same for every backend.
type run struct {
	stdin  *os.File
	stdout *cappedReader
	stderr *tail
	family family
	done   chan struct{}

	// viaInit: the command's end is told by an init of ours, as a shell tells
	// it, and not by the kernel.
	viaInit bool

	mu     sync.Mutex
	reason Class // why we ended it, "" while nobody did
	status exitStatus
	found  evidence
	stop   sync.Once
}

// pipes are the three ends that the command gets.
type pipes struct {
	stdin, stdout, stderr *os.File
}

func (p *pipes) close() {
	for _, f := range []*os.File{p.stdin, p.stdout, p.stderr} {
		if f != nil {
			f.Close()
		}
	}
}

// newProcess makes the pipes of a process that is not started yet.
func newProcess(l Limits) (p *Process, theirs *pipes, err error) {
	theirs = &pipes{}
	var ours pipes
	defer func() {
		if err != nil {
			ours.close()
			theirs.close()
		}
	}()
	if theirs.stdin, ours.stdin, err = os.Pipe(); err != nil {
		return nil, nil, err
	}
	if ours.stdout, theirs.stdout, err = os.Pipe(); err != nil {
		return nil, nil, err
	}
	if ours.stderr, theirs.stderr, err = os.Pipe(); err != nil {
		return nil, nil, err
	}
	p = &Process{}
	p.run.stdin = ours.stdin
	p.run.stdout = &cappedReader{f: ours.stdout, limit: l.Stdout, over: func() { p.end(Output) }}
	p.run.stderr = newTail(ours.stderr, l.Stderr)
	p.done = make(chan struct{})
	p.Stdin, p.Stdout = p.run.stdin, p.run.stdout
	return p, theirs, nil
}

// discard gives up a process that never started.
func (p *Process) discard() {
	p.run.stdin.Close()
	p.run.stdout.f.Close()
	p.run.stderr.f.Close()
}

// startOnThread starts cmd and waits for it on one OS thread that lives as
// long as the command: the kernel sends a parent-death signal when the thread
// that started the child ends, not the process. before runs on that thread
// first; if it is not nil the thread is thrown away afterwards.
func startOnThread(cmd *exec.Cmd, before func() error) (exited <-chan error, err error) {
	started := make(chan error, 1)
	ended := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		if before == nil {
			defer runtime.UnlockOSThread()
		} else if err := before(); err != nil {
			started <- err
			return
		}
		err := cmd.Start()
		started <- err
		if err == nil {
			ended <- cmd.Wait()
		}
	}()
	return ended, <-started
}

// watch follows a started command to its end. p.family is set.
func (p *Process) watch(ctx context.Context, cmd *exec.Cmd, exited <-chan error, wall time.Duration) {
	go p.run.stderr.drain()
	go func() {
		timer := time.NewTimer(wall)
		defer timer.Stop()
		select {
		case <-p.done:
		case <-timer.C:
			p.end(Timeout)
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				p.end(Timeout)
			} else {
				p.end(Stopped)
			}
		}
	}()
	go func() {
		<-exited // the status is in cmd.ProcessState; a non-zero one is no error here
		// Main-exit rule: whatever the command left running ends with it.
		p.family.kill()
		p.run.stdin.Close()
		p.run.stdout.finish()
		p.run.stderr.finish()
		found := p.family.close()
		p.mu.Lock()
		p.status, p.found = statusOf(cmd.ProcessState, p.viaInit), found
		p.mu.Unlock()
		close(p.done)
	}()
}

// end kills the run and remembers why; the first reason stays.
func (p *Process) end(why Class) {
	p.setReason(why)
	p.family.kill()
}

func (p *Process) setReason(why Class) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.done:
		return
	default:
	}
	if p.reason == "" {
		p.reason = why
	}
}

// Stop ends the run: it closes standard input, gives the command grace to
// leave, sends SIGTERM, gives the same grace again, kills every process that
// is left, waits until none is, and removes the scratch space. It may be
// called more than once and after the end.
func (p *Process) Stop(grace time.Duration) Result {
	p.stop.Do(func() {
		p.setReason(Stopped)
		p.run.stdin.Close()
		if p.endsWithin(grace) {
			return
		}
		p.family.terminate()
		if p.endsWithin(grace) {
			return
		}
		p.family.kill()
	})
	return p.Wait()
}

func (p *Process) endsWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
		return false
	}
}

// Wait waits for the end and says how it came.
func (p *Process) Wait() Result {
	<-p.done
	p.mu.Lock()
	defer p.mu.Unlock()
	r := Result{
		Class:       p.class(),
		Exit:        p.status.code,
		Signal:      p.status.signal,
		Stderr:      p.run.stderr.last(-1),
		StdoutBytes: p.run.stdout.count(),
		StderrBytes: p.run.stderr.count(),
	}
	return r
}

// class judges by evidence: a limit that the kernel enforced explains a
// failure better than the timeout or the stop that came after it, and is no
// failure at all when the command left well by itself.
func (p *Process) class() Class {
	byItself := p.reason == ""
	switch {
	case p.reason == Output:
		return Output
	case byItself && p.status.code == 0:
		return Exited
	case p.found.memory:
		return Memory
	case p.found.pids:
		return PIDs
	case !byItself:
		return p.reason
	case p.status.signal == "SIGSYS":
		return Denied
	}
	return Exited
}

// Done is closed after the end, when nothing of the run is left.
func (p *Process) Done() <-chan struct{} { return p.done }

// StderrTail gives the last n bytes of standard error that were kept so far,
// raw; all that is kept for a negative n.
func (p *Process) StderrTail(n int) string { return p.run.stderr.last(n) }
