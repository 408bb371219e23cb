//go:build !unix

package rules_test

import "time"

var processStart = time.Now()

// cpuTime falls back to the clock.
func cpuTime() time.Duration { return time.Since(processStart) }
