package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mcp-lint/mcp-lint/internal/version"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  atMost(0, "nothing"),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.stdout, "mcp-lint %s\n", version.Version())
			return err
		},
	}
}
