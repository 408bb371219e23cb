package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mcp-lint/mcp-lint/internal/version"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "mcp-lint bot %s\n", version.Version())
			return err
		},
	}
}
