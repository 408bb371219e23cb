// Command mcp-lint reads what an MCP server tells a model, judges it, and
// remembers it in a lock file.
package main

import (
	"context"
	"os"
)

func main() {
	a := &app{
		stdin:  os.Stdin,
		stdout: os.Stdout,
		stderr: os.Stderr,
		env:    os.LookupEnv,
	}
	os.Exit(a.run(context.Background(), os.Args[1:]))
}
