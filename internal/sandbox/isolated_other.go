//go:build !linux

package sandbox

import (
	"context"
	"runtime"
)

// host has nothing to say where there is no backend.
type host struct{}

func (s *Sandbox) prepare(Options) error {
	return &Unavailable{
		What:   "no sandbox on " + runtime.GOOS,
		Remedy: "run on Linux with bubblewrap (a container or virtual machine will do), or without a sandbox",
	}
}

func (s *Sandbox) startIsolated(context.Context, Spec, Limits) (*Process, error) {
	return nil, s.prepare(Options{})
}
