package main

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgressIsShownWhenWorkTakesLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := newProgress(&b, time.Second)
		said := func() string {
			p.mu.Lock()
			defer p.mu.Unlock()
			return b.String()
		}
		p.tell("started")
		p.tell("tools/list")
		time.Sleep(900 * time.Millisecond)
		if said() != "" {
			t.Errorf("too early: %s", said())
		}
		time.Sleep(200 * time.Millisecond)
		p.tell("prompts/list")
		if want := "mcp-lint: tools/list\nmcp-lint: prompts/list\n"; said() != want {
			t.Errorf("got %q, want %q", said(), want)
		}
	})
}
