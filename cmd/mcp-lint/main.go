// Command mcp-lint reads what an MCP server tells a model, judges it, and
// remembers it in a lock file.
package main

import (
	"context"
	"os"
	"runtime/debug"
)

// memoryLimit is where the collector begins to work harder. Only a hostile
// snapshot gets there: what it needs beyond is not refused, but garbage no
// longer doubles it.
const memoryLimit = 768 << 20

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	a := &app{
		stdin:  os.Stdin,
		stdout: os.Stdout,
		stderr: os.Stderr,
		env:    os.LookupEnv,
	}
	os.Exit(a.run(context.Background(), os.Args[1:]))
}
