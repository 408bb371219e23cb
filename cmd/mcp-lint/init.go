package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

func (a *app) initCommand() *cobra.Command {
	preset, force := string(linter.Recommended), false
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a configuration with comments to begin with",
		Long: `Write .mcp-lint.json with comments to the current folder. A configuration that
is there is never overwritten without --force.`,
		Args: atMost(0, "nothing"),
		RunE: func(*cobra.Command, []string) error { return a.initConfig(linter.Preset(preset), force) },
	}
	presetChoice(&preset).add(cmd.Flags(), "preset", "`rules` that the configuration extends")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite the configuration that is there")
	return cmd
}

func (a *app) initConfig(preset linter.Preset, force bool) error {
	file := config.Names()[0]
	for _, name := range config.Names() {
		switch _, err := os.Lstat(name); {
		case errors.Is(err, fs.ErrNotExist), force && name != file:
		case err != nil:
			return fmt.Errorf("%s: %w", name, reason(err))
		case !force && name == file:
			return fmt.Errorf("%s is there already; --force overwrites it", name)
		case !force:
			return fmt.Errorf("%s is there already, and would no longer be read beside %s; --force writes that all the same", name, file)
		}
	}
	servers, err := audit.Discover(".", config.Default(preset))
	if err != nil {
		a.warn("%s", err)
	}
	if err := writeFile(file, []byte(firstConfig(preset, servers))); err != nil {
		return err
	}
	return a.nextSteps(file, servers)
}

// nextSteps says what to do with a new configuration.
func (a *app) nextSteps(file string, servers []launch.Server) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Wrote %s", file)
	key := "KEY"
	if len(servers) > 0 {
		fmt.Fprintf(&b, "; servers found here: %d", len(servers))
		key = shellWord(servers[0].Key)
	}
	b.WriteString(".\n\nNext:\n")
	if len(servers) == 0 {
		b.WriteString("  name your servers in it, or check a saved list: mcp-lint check tools.json\n")
	}
	for _, step := range [][2]string{
		{"mcp-lint ci", "review this folder"},
		{"mcp-lint lock --name " + key, "remember what the server says"},
		{"mcp-lint rules", "list the rules"},
	} {
		fmt.Fprintf(&b, "  %-32s  %s\n", step[0], step[1])
	}
	_, err := a.stdout.Write([]byte(b.String()))
	return err
}

// shellWord is a key as a shell takes it, or KEY where that would be hard to
// read.
func shellWord(key string) string {
	plain := !strings.ContainsFunc(key, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-", r)
	})
	if plain && key != "" && key[0] != '-' {
		return key
	}
	return "KEY"
}

// firstConfig is a configuration that changes nothing but shows what could be
// changed. Servers that a client's file defines are named and not copied: a
// copy would hide what is added there later, and the file may hold secrets.
func firstConfig(preset linter.Preset, servers []launch.Server) string {
	var b strings.Builder
	b.WriteString(`// mcp-lint reads this file: https://github.com/mcp-lint/mcp-lint/blob/main/docs/config.md
{
  "$schema": "https://raw.githubusercontent.com/mcp-lint/mcp-lint/main/docs/mcp-lint.schema.json",

  // Which rules, with which severities: recommended, snapshot or agents.
  "extends": "` + string(preset) + `",

  // Another severity for a rule, or off. "mcp-lint rules" lists them.
  "rules": {
    // "description/too-long": "off",
  },

  // Findings from which on a run fails: info, warning, error or never.
`)
	c := config.Default(preset)
	failOn := "never"
	if c.FailOn != severity.Off {
		failOn = c.FailOn.String()
	}
	fmt.Fprintf(&b, "  \"failOn\": %q,\n", failOn)
	b.WriteString("  // Quality score (0 to 100) below which a run fails.\n")
	fmt.Fprintf(&b, "  \"minScore\": %g,\n", c.MinScore)
	b.WriteString(`
  // Findings that do not count, and why.
  "suppress": [
    // { "rule": "schema/untyped-param", "entity": "tool:export",
    //   "reason": "the client fills it in", "until": "2030-12-31" },
  ],

`)
	if len(servers) > 0 {
		b.WriteString("  // These servers were found and are checked as they stand there:\n")
		for i, s := range servers {
			if i == maxNamed {
				fmt.Fprintf(&b, "  //   and %d more\n", len(servers)-i)
				break
			}
			fmt.Fprintf(&b, "  //   %s in %s\n", comment(s.Key), comment(s.Location.File))
		}
		b.WriteString("  // With the key \"servers\" only those named here are checked.\n")
	} else {
		b.WriteString("  // The servers to check. Without this key they are found in the files\n  // from which clients start them (.mcp.json, .vscode/mcp.json and others).\n")
	}
	b.WriteString(`  // "servers": {
  //   "own":   { "command": "node", "args": ["dist/index.js"],
  //              "passEnv": ["API_TOKEN"], "startTimeout": 60 },
  //   "saved": { "from": "tools.json" },
  // },
}
`)
	return b.String()
}

// comment is foreign text for a comment, which a line break would end.
func comment(text string) string { return snapshot.Visible(text) }

// maxNamed is how many servers are named in a new configuration.
const maxNamed = 20
