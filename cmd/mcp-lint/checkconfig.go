package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/version"
)

func (a *app) checkConfigCommand() *cobra.Command {
	var (
		conf configFlags
		out  outputFlags
		bad  advisoriesFlag
	)
	cmd := &cobra.Command{
		Use:   "check-config FILE…",
		Short: "Judge how client configuration files start servers",
		Long: `Judge how the servers of client configuration files are started: whether what
they fetch is pinned or known to be bad, and whether the entries hold secrets.
Nothing is started, fetched or asked. Of remote servers scheme and host are
shown; what they serve is not checked.

The files of Claude, Cursor, VS Code, Windsurf, Zed, Cline, Continue, Codex,
Gemini, Goose, opencode and others are read, and server.json and bundles'
manifest.json. A finding of severity warning or above ends with exit code 1
(--fail-on), a file that cannot be read with 2.`,
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return usagef("no file: expected client configuration files")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, files []string) error {
			conf.failOn = cmp.Or(conf.failOn, "warning")
			c, err := conf.load()
			if err != nil {
				return err
			}
			e := &audit.Engine{Version: version.Version(), Env: a.env}
			if e.Advisories, err = bad.load(); err != nil {
				return err
			}
			documents := make([]audit.Document, 0, len(files))
			for _, file := range files {
				documents = append(documents, a.document(file))
			}
			o, unread, err := e.Entries(c, documents)
			if err != nil {
				return err
			}
			a.printErrors(&o.Report)
			if len(o.Report.Servers) == 0 {
				a.warn("there is no server in what was read, so nothing was judged")
			}
			limits := audit.Limits(c)
			if err := a.write(out, &o.Report, o.Snapshots, limits); err != nil {
				return err
			}
			if unread > 0 {
				return exit(exitError)
			}
			return verdict(&o.Report, limits)
		},
	}
	conf.addPath(cmd.Flags())
	presetChoice(&conf.preset).add(cmd.Flags(), "preset", "`rules` to use, whatever the configuration extends")
	conf.addFailOn(cmd.Flags())
	bad.add(cmd.Flags())
	out.add(cmd.Flags())
	out.addMain(cmd.Flags())
	return cmd
}
