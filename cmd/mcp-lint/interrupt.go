package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// errInterrupted is the end of a run that somebody stopped.
var errInterrupted = errors.New("interrupted")

// interruptible calls work, which starts servers, with a context that ends on
// Ctrl-C and the like, so that the servers are ended before we are. A second
// Ctrl-C ends the program at once. Other commands keep the system's ways.
func interruptible(ctx context.Context, work func(context.Context) error) error {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(ctx, signals...)
	defer stop()
	context.AfterFunc(ctx, stop)
	err := work(ctx)
	if ctx.Err() != nil {
		return errInterrupted
	}
	return err
}
