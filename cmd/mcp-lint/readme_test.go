package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The README's table of options and the program's flags are the same set.
func TestReadmeListsTheFlags(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(readme), "| option | on | meaning |\n")
	if !found {
		t.Fatal("README.md has no table of options")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	listed := make(map[string][]string) // commands by flag
	for line := range strings.Lines(table) {
		cells := strings.SplitN(line, " | ", 3)
		if len(cells) < 3 {
			continue
		}
		for _, flag := range regexp.MustCompile(`--([a-z][a-z-]*)`).FindAllStringSubmatch(cells[0], -1) {
			listed[flag[1]] = append(listed[flag[1]], strings.Split(strings.TrimSpace(cells[1]), ", ")...)
		}
		// "(lock: --json)" in the meaning.
		for _, also := range regexp.MustCompile("\\((\\w+): `--([a-z]+)`\\)").FindAllStringSubmatch(cells[2], -1) {
			listed[also[2]] = append(listed[also[2]], also[1])
		}
	}
	has := func(flag, command string) {
		if !slices.Contains(listed[flag], command) {
			t.Errorf("README.md does not list --%s of %s", flag, command)
		}
		listed[flag] = slices.DeleteFunc(listed[flag], func(name string) bool { return name == command })
	}
	root := (&app{}).root()
	for _, cmd := range root.Commands() {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			has(f.Name, cmd.Name())
			if cmd.Name() == "run" && root.Flags().Lookup(f.Name) == nil {
				t.Errorf("the short form lacks --%s of run", f.Name)
			}
		})
	}
	// The short form has the options of run, and its own.
	run, _, err := root.Find([]string{"run"})
	if err != nil {
		t.Fatal(err)
	}
	root.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if run.Flags().Lookup(f.Name) == nil {
			has(f.Name, "short")
		}
	})
	for flag, commands := range listed {
		if len(commands) > 0 {
			t.Errorf("README.md lists --%s for %s, which do not have it", flag, strings.Join(commands, ", "))
		}
	}
}

// The README's commands are what the program takes.
func TestReadmeCommandsParse(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var lines [][][]byte
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllSubmatch(readme, -1) {
		lines = append(lines, regexp.MustCompile(`(?m)^mcp-lint (.*?)(?:\s+#.*)?$`).FindAllSubmatch(block[1], -1)...)
	}
	if len(lines) < 10 {
		t.Fatalf("%d commands found", len(lines))
	}
	for _, line := range lines {
		root := (&app{}).root()
		cmd, args, err := root.Find(strings.Fields(string(line[1])))
		if err != nil {
			t.Errorf("%s: %v", line[0], err)
			continue
		}
		if err := parses(cmd, args); err != nil {
			t.Errorf("%s: %v", line[0], err)
		}
	}
}

func parses(cmd *cobra.Command, args []string) error {
	if err := cmd.ParseFlags(args); err != nil {
		return err
	}
	if cmd.Args == nil {
		_, err := commandAfterDash(cmd, cmd.Flags().Args())
		return err
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}
