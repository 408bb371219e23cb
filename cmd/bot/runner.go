package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/internal/version"
	"github.com/mcp-lint/mcp-lint/internal/worker"
)

// maxRequest bounds a request: a handful of paths.
const maxRequest = 1 << 20

// runnerCommand is the child of `bot serve`; see worker.Runner.
func runnerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "runner",
		Short:  "Audit one request from standard input (started by serve)",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := worker.AdoptOrphans(); err != nil {
				return fmt.Errorf("adopt orphans: %w", err)
			}
			defer worker.KillDescendants()
			var request audit.Request
			d := json.NewDecoder(io.LimitReader(cmd.InOrStdin(), maxRequest))
			d.DisallowUnknownFields()
			if err := d.Decode(&request); err != nil {
				return fmt.Errorf("request on standard input: %w", err)
			}
			e := json.NewEncoder(cmd.OutOrStdout())
			e.SetEscapeHTML(false) // one "<" would be six bytes of the limit
			return e.Encode(runAudit(cmd.Context(), request))
		},
	}
}

// runAudit never fails: what went wrong is part of the result.
func runAudit(ctx context.Context, request audit.Request) worker.RunnerResult {
	box, err := sandbox.New(request.Sandbox, sandbox.Options{})
	if err != nil {
		result := worker.RunnerResult{Error: err.Error()}
		if missing := (*sandbox.Unavailable)(nil); errors.As(err, &missing) {
			result.Reason = "the sandbox is not available on this installation of mcp-lint, so no server was started"
		}
		return result
	}
	engine := audit.Engine{
		Version: version.Version(),
		// A server gets nothing of the bot's environment, whatever its
		// configuration asks for: its words are published.
		Env: func(string) (string, bool) { return "", false },
		// What the operator lets through to package managers; see
		// worker.RunnerPassEnv.
		Host: os.LookupEnv,
		// Remote stays as it is: what trusted configuration and operator allow,
		// at public addresses, and through no proxy.
		Sandbox: box,
		Cache:   request.Cache,
		Progress: func(line string) {
			fmt.Fprintln(os.Stderr, line)
		},
	}
	review, err := engine.Review(ctx, request)
	if err != nil {
		return worker.RunnerResult{Error: err.Error()}
	}
	return worker.RunnerResult{Review: review}
}
