// Command bot is the GitHub App: it takes webhooks in, audits pull requests in
// a sandbox, and publishes check runs, alerts and a comment.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitWrong = 1 // the demo: a verdict is not the right one
	exitError = 2 // usage, configuration, or a failure of the bot itself
)

// exitCode is an error that has been told already: it only ends the program.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newRoot().ExecuteContext(ctx)
	stop()
	if code := exitCode(0); errors.As(err, &code) {
		os.Exit(int(code))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bot:", err)
		os.Exit(exitError)
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "bot",
		Short:         "mcp-lint as a GitHub App",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(serveCommand(), demoCommand(), runnerCommand(), versionCommand())
	return root
}
