package main

import (
	"bytes"
	"crypto"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/internal/worker"
)

// serveOptions is everything that `bot serve` needs to know. Secrets are files,
// never values: what is in argv or the environment can be read by others.
type serveOptions struct {
	Listen      string // host:port; port 0 picks a free one
	GitHubURL   string // the web address
	AppID       int64
	PrivateKey  string   // file
	SecretFiles []string // webhook secrets, one a file
	Database    string   // SQLite file
	WorkDir     string   // temporary trees; "" means next to the database
	Cache       string   // fetched packages; "" means next to the database

	Sandbox       sandbox.Mode
	Workers       int
	Forks         worker.Forks
	AllowedOwners []string // none means the App's owner
	AllowHosts    []string // of remote servers; none means that none is asked
	RunnerEnv     []string // more variables for the audits

	// Ready is called with the listening address once deliveries are taken.
	Ready func(addr string)
	Log   *slog.Logger
}

// envPrefix begins the environment variable of every flag: --app-id is
// MCP_LINT_APP_ID. A flag wins over its variable.
const envPrefix = "MCP_LINT_"

func serveCommand() *cobra.Command {
	o := serveOptions{}
	var mode, forks, level string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Take webhooks in and check pull requests",
		Long: `Take webhooks in and check pull requests, until SIGINT or SIGTERM.

Every flag can be given as an environment variable: --app-id is ` + envPrefix + `APP_ID,
lists are separated by commas. Secrets are files; there is no flag and no variable
for their values.

Addresses: /webhook takes deliveries, /healthz and /readyz answer probes, /metrics
is for Prometheus. Logs are JSON lines on standard error.`,
		Args: cobra.NoArgs,
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			return fromEnv(cmd.Flags(), os.LookupEnv)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Sandbox, o.Forks = sandbox.Mode(mode), worker.Forks(forks)
			log, err := newLogger(cmd, level)
			if err != nil {
				return err
			}
			o.Log = log
			return serve(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Listen, "listen", "127.0.0.1:8080", "`address` to listen on; put a TLS proxy in front")
	f.StringVar(&o.GitHubURL, "github-url", "https://github.com", "web `address` of GitHub or of an Enterprise Server")
	f.Var((*appID)(&o.AppID), "app-id", "`id` of the GitHub App, the number on its settings page")
	f.StringVar(&o.PrivateKey, "private-key", "", "`file` with the App's private key (PEM)")
	f.StringSliceVar(&o.SecretFiles, "webhook-secret-file", nil, "`file` with the webhook secret; twice while it is being changed")
	f.StringVar(&o.Database, "database", "mcp-lint.db", "SQLite `file`; it is created")
	f.StringVar(&o.WorkDir, "work-dir", "", "`folder` for temporary trees, of this bot alone (default: next to the database)")
	f.StringVar(&o.Cache, "cache", "", "`folder` for fetched packages (default: next to the database)")
	f.StringVar(&mode, "sandbox", string(sandbox.Require), "require, or best-effort to work without missing limits")
	f.IntVar(&o.Workers, "workers", queue.DefaultWorkers, "`number` of pull requests checked at the same time")
	f.StringVar(&forks, "forks", string(worker.ForksStatic), "pull requests from forks: static starts none of their servers, sandbox treats them like others")
	f.StringSliceVar(&o.AllowedOwners, "allowed-owner", nil, "`login` whose repositories are checked (default: the App's owner)")
	f.StringSliceVar(&o.AllowHosts, "allow-host", nil, "`host` whose remote servers may be asked when the trusted branch configures them, like mcp.example.com or *.example.com (default: none)")
	f.StringSliceVar(&o.RunnerEnv, "runner-env", nil, "`name` of a further variable that package fetching needs, besides the usual registry, proxy and certificate settings")
	f.StringVar(&level, "log-level", "info", "debug, info, warn or error")
	return cmd
}

// appID is a flag whose error says where the number is found.
type appID int64

func (a *appID) String() string { return strconv.FormatInt(int64(*a), 10) }

// Type implements pflag.Value.
func (*appID) Type() string { return "id" }

// Set implements pflag.Value.
func (a *appID) Set(s string) error {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n <= 0 {
		return errors.New("expected the number on the App's settings page")
	}
	*a = appID(n)
	return nil
}

// fromEnv sets every flag that was not given from its variable.
func fromEnv(flags *pflag.FlagSet, lookup func(string) (string, bool)) error {
	var errs []error
	flags.VisitAll(func(f *pflag.Flag) {
		name := envPrefix + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, ok := lookup(name)
		if f.Changed || !ok || value == "" {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	})
	return errors.Join(errs...)
}

// newLogger logs JSON lines on standard error, without tokens and keys.
func newLogger(cmd *cobra.Command, level string) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("--log-level %q: expected debug, info, warn or error", level)
	}
	return slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{
		Level: l, ReplaceAttr: githubapp.RedactAttr,
	})), nil
}

// secrets checks the options, fills in the folders, and reads the secrets.
func (o *serveOptions) secrets() (webhook [][]byte, key crypto.Signer, err error) {
	switch {
	case o.AppID <= 0:
		return nil, nil, errors.New("--app-id: expected the number on the App's settings page")
	case o.PrivateKey == "":
		return nil, nil, errors.New("--private-key: expected the file with the App's private key")
	case len(o.SecretFiles) == 0:
		return nil, nil, errors.New("--webhook-secret-file: expected a file with the webhook secret; without one anybody could start jobs")
	case o.Sandbox != sandbox.Require && o.Sandbox != sandbox.BestEffort:
		return nil, nil, fmt.Errorf("--sandbox %q: expected require or best-effort", o.Sandbox)
	case o.Forks != worker.ForksStatic && o.Forks != worker.ForksSandbox:
		return nil, nil, fmt.Errorf("--forks %q: expected static or sandbox", o.Forks)
	case o.Workers < 1:
		return nil, nil, fmt.Errorf("--workers %d: expected at least 1", o.Workers)
	case o.Database == "":
		return nil, nil, errors.New("--database: expected a file")
	}
	for _, host := range o.AllowHosts {
		if !audit.IsHostPattern(host) {
			return nil, nil, fmt.Errorf("--allow-host %q: expected a host without scheme and port, or *. and a domain", host)
		}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	database, err := filepath.Abs(o.Database)
	if err != nil {
		return nil, nil, fmt.Errorf("--database: %w", err)
	}
	o.Database = database
	for folder, name := range map[*string]string{&o.WorkDir: "work", &o.Cache: "cache"} {
		if *folder == "" {
			*folder = filepath.Join(filepath.Dir(database), name)
		}
		if *folder, err = filepath.Abs(*folder); err != nil {
			return nil, nil, err
		}
	}
	for _, name := range o.SecretFiles {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, fmt.Errorf("--webhook-secret-file: %w", err)
		}
		// Editors end files with a newline, secrets do not.
		secret := bytes.TrimRight(text, "\r\n")
		if len(bytes.TrimSpace(secret)) == 0 {
			return nil, nil, fmt.Errorf("--webhook-secret-file: %s is empty", name)
		}
		webhook = append(webhook, secret)
	}
	text, err := os.ReadFile(o.PrivateKey)
	if err != nil {
		return nil, nil, fmt.Errorf("--private-key: %w", err)
	}
	if key, err = githubapp.ParsePrivateKey(text); err != nil {
		return nil, nil, fmt.Errorf("--private-key: %s: %w", o.PrivateKey, err)
	}
	return webhook, key, nil
}
