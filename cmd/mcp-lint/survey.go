package main

import (
	"context"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// surveyFlags are those of `mcp-lint survey`.
type surveyFlags struct {
	preset   string
	box      sandboxFlag
	format   string
	path     string
	json     string
	markdown string
}

func (f *surveyFlags) add(flags *pflag.FlagSet) {
	presetChoice(&f.preset).add(flags, "preset", "`rules` to use, whatever the list extends")
	f.box.add(flags, sandbox.BestEffort)
	f.format = "markdown"
	choice{&f.format, []string{"markdown", "json"}}.add(flags, "format", "`form` of the survey on standard output")
	flags.StringVarP(&f.path, "output", "o", "", "write the survey to this `file` instead of standard output")
	flags.StringVar(&f.json, "json", "", "also write the survey as JSON to this `file`")
	flags.StringVar(&f.markdown, "markdown", "", "also write the survey as Markdown to this `file`")
}

func (a *app) surveyCommand() *cobra.Command {
	var f surveyFlags
	cmd := &cobra.Command{
		Use:   "survey FILE",
		Short: "Compare many servers: sizes, annotations, findings, scores",
		Long: `The file is a configuration with "servers", at best with exact versions, so that
the survey can be repeated. All are started side by side, asked for their lists
and linted; the tables say what each costs a model's context, how its tools are
annotated, and what the rules find. A server that cannot be asked is named with
the reason and is in no figure; findings fail nothing.`,
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) != 1 {
				return usagef("expected one file with the servers to survey")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			conf := configFlags{path: files[0], preset: f.preset}
			c, err := conf.load()
			if err != nil {
				return err
			}
			if len(c.Servers) == 0 {
				return usagef("%s: expected the servers to survey under the key servers", filepath.ToSlash(files[0]))
			}
			return interruptible(cmd.Context(), func(ctx context.Context) error {
				return a.survey(ctx, &f, c, filepath.Dir(files[0]))
			})
		},
	}
	f.add(cmd.Flags())
	return cmd
}

// survey asks the servers of a list, whose folder is dir, and writes the tables.
func (a *app) survey(ctx context.Context, f *surveyFlags, c *config.Config, dir string) error {
	o, err := a.engine(sandbox.Mode(f.box.mode)).Servers(ctx, c, dir, c.Servers)
	if err != nil || ctx.Err() != nil {
		return err
	}
	a.printErrors(&o.Report)
	s := report.NewSurvey(&o.Report, o.Snapshots, c.Linter.Preset)
	if err := a.writeTo(f.path, func(w io.Writer) error { return writeSurvey(w, s, f.format) }); err != nil {
		return err
	}
	for _, file := range []struct{ path, format string }{{f.json, "json"}, {f.markdown, "markdown"}} {
		if file.path == "" {
			continue
		}
		if err := a.writeTo(file.path, func(w io.Writer) error { return writeSurvey(w, s, file.format) }); err != nil {
			return err
		}
	}
	return surveyed(s)
}

func writeSurvey(w io.Writer, s *report.Survey, format string) error {
	if format == "json" {
		return report.WriteSurveyJSON(w, s)
	}
	return report.WriteSurveyMarkdown(w, s)
}

// surveyed is the exit code of a survey: what could not be asked is told, what
// the rules find is the survey's matter and fails nothing.
func surveyed(s *report.Survey) error {
	switch {
	case len(s.NotChecked) == 0:
		return nil
	case len(s.Servers) == 0:
		return exit(exitError)
	}
	return exit(exitPartial)
}
