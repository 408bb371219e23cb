package sandbox

import (
	"sync"
	"testing"
)

// A process may hold several sandboxes, each with runs side by side: their
// groups must not meet, and none may believe that the host has no groups.
func TestManySandboxesInOneProcess(t *testing.T) {
	t.Parallel()
	missing := len(isolated(t).Missing())
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			s, err := New(BestEffort, Options{})
			if err != nil {
				t.Error(err)
				return
			}
			if got := s.Missing(); len(got) != missing {
				t.Errorf("beside others this is missing: %v", got)
			}
			for range 3 {
				p, err := s.Start(t.Context(), hostileSpec("echo"))
				if err != nil {
					t.Error(err)
					return
				}
				p.Stop(0)
			}
		})
	}
	group.Wait()
}
