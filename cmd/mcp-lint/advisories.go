package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
)

// advisoriesFlag is --advisories FILE, which may be given several times.
type advisoriesFlag struct{ files []string }

func (f *advisoriesFlag) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.files, "advisories", nil, "OSV records (JSON, JSON lines, a folder or a .zip) in this `file`: what they list is not started either")
}

// load is what is known to be bad: the program's list, and the files'.
func (f *advisoriesFlag) load() (*advisory.List, error) {
	list, err := advisory.Builtin()
	if err != nil {
		return nil, err
	}
	for _, file := range f.files {
		if file == "" {
			return nil, usagef("--advisories: expected a file, found an empty name")
		}
		if err := list.Add(file); err != nil {
			return nil, fmt.Errorf("--advisories: %w", err)
		}
	}
	return list, nil
}
