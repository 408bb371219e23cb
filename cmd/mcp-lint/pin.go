package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/internal/launch/pin"
	"github.com/mcp-lint/mcp-lint/internal/registry"
)

// pinFlags are those of pin.
type pinFlags struct {
	check      bool
	json       string
	advisories advisoriesFlag
}

func (a *app) pinCommand() *cobra.Command {
	var f pinFlags
	cmd := &cobra.Command{
		Use:   "pin FILE…",
		Short: "Write exact versions into configuration files of clients",
		Long: `Every package that an entry would fetch in whatever version is newest is written
with the version that its registry gives now: npm and PyPI packages and Go
programs with an exact version, images with a digest, git sources with a commit.
Everything else of the file stays as it is, byte for byte. FILE is a client's
configuration or .mcp-lint.json.

The registries are those that npm, uv, pip and go would ask on this machine. The
exit code is 1 when something could not be pinned, or would be with --check.`,
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return usagef("no file: expected configuration files of clients, or .mcp-lint.json")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			return interruptible(cmd.Context(), func(ctx context.Context) error { return a.pin(ctx, &f, files) })
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.check, "check", false, "write nothing; exit with 1 when something would change")
	flags.BoolVar(&f.check, "dry-run", false, "the same as --check")
	f.advisories.add(flags)
	flags.Lookup("advisories").Usage = "OSV records (JSON, JSON lines, a folder or a .zip) in this `file`: what they list is never chosen"
	flags.StringVar(&f.json, "json", "", "also write what was done, as JSON, to this `file`")
	return cmd
}

// pin pins files, each by itself: what is wrong with one keeps no other from it.
func (a *app) pin(ctx context.Context, f *pinFlags, files []string) error {
	settings, err := registry.FromEnvironment(a.env)
	if err != nil {
		return err
	}
	bad, err := f.advisories.load()
	if err != nil {
		return err
	}
	p := &pin.Pinner{
		Registries: registry.Remember(registry.New(http.DefaultClient, settings)),
		Bad:        bad,
		Read:       readServers,
	}
	tell := func(string) {}
	if isTerminal(a.stderr) {
		tell = newProgress(a.stderr, patience).tell
	}
	report := pinReport{Check: f.check}
	for _, file := range files {
		tell("asking the registries about the packages of " + filepath.ToSlash(file))
		done := pinFile(ctx, p, f.check, file)
		if ctx.Err() != nil && !done.Written {
			break // what was done already is shown
		}
		report.Files = append(report.Files, done)
	}
	if err := a.showPins(&report); err != nil {
		return err
	}
	if f.json != "" {
		if err := report.writeJSON(f.json); err != nil {
			return err
		}
	}
	return report.verdict()
}

// readServers reads the servers of our own configuration or of a client's.
func readServers(file string, data []byte) ([]launch.Server, error) {
	if slices.Contains(config.Names(), filepath.Base(file)) {
		c, err := config.Parse(file, data, audit.Known(), "")
		if err != nil {
			return nil, err
		}
		return c.Servers, nil
	}
	return launch.ReadClientFile(file, data)
}

// pinFile pins one file.
func pinFile(ctx context.Context, p *pin.Pinner, check bool, file string) pinnedFile {
	done := pinnedFile{File: filepath.ToSlash(file)}
	data, err := readDocument(file)
	if err != nil {
		done.err = fmt.Errorf("%s: %w", done.File, reason(err))
		return done
	}
	result, err := p.File(ctx, done.File, data)
	if err != nil {
		done.err = err
		return done
	}
	done.fill(result)
	if check || len(result.Changes) == 0 {
		return done
	}
	if done.err = replacePinned(file, data, result.Data); done.err == nil {
		done.Written = true
	}
	return done
}

var errChanged = errors.New("it was changed by somebody else while the registries were asked; nothing is written")

// replacePinned writes a file anew, unless it is no longer what was read. A link
// stays one: what it leads to is written.
func replacePinned(file string, before, after []byte) error {
	target, err := filepath.EvalSymlinks(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, reason(err))
	}
	now, err := readDocument(target)
	if err != nil {
		return fmt.Errorf("%s: %w", file, reason(err))
	}
	if !bytes.Equal(now, before) {
		return fmt.Errorf("%s: %w", file, errChanged)
	}
	if err := replaceFile(target, after); err != nil {
		return fmt.Errorf("write %s: %w", file, reason(err))
	}
	return nil
}
