package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/githubapp"
	"github.com/mcp-lint/mcp-lint/internal/githubtest"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/internal/version"
	"github.com/mcp-lint/mcp-lint/internal/worker"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// demoTimeout is far above what the demo takes with an empty package cache.
const demoTimeout = 10 * time.Minute

// demo is one run of the main job on loopback: a GitHub, the bot, a repository
// and three pull requests.
type demo struct {
	once, json bool
	out, err   io.Writer
	dir        string // of this run; removed at the end

	github *githubtest.Server
	bot    <-chan error // the bot's end
}

func demoCommand() *cobra.Command {
	d := &demo{}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the main job: pull requests on a loopback GitHub, checked by this bot",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d.out, d.err = cmd.OutOrStdout(), cmd.ErrOrStderr()
			return d.run(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&d.once, "once", false, "end after the verdicts: 0 only if every one is right")
	cmd.Flags().BoolVar(&d.json, "json", false, "print what was posted as JSON")
	return cmd
}

func (d *demo) run(ctx context.Context) (err error) {
	box, err := demoPreflight()
	if err != nil {
		return err
	}
	for _, missing := range box.Missing() {
		d.say("sandbox: %s", missing)
	}
	if d.dir, err = os.MkdirTemp("", "mcp-lint-demo-*"); err != nil {
		return err
	}
	defer os.RemoveAll(d.dir)
	userCache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	cache := filepath.Join(userCache, "mcp-lint", "packages")

	if d.github, err = githubtest.Start(githubtest.Options{}); err != nil {
		return err
	}
	defer d.github.Close()
	ctx, stop := context.WithCancel(ctx)
	if err := d.startBot(ctx, cache); err != nil {
		stop()
		return err
	}
	defer func() {
		stop()
		err = errors.Join(err, <-d.bot)
	}()

	posted, err := d.play(ctx, box, cache)
	if err != nil {
		return fmt.Errorf("%w\nthe bot's log:\n%s", err, d.log())
	}
	if err := posted.print(d.out, d.json); err != nil {
		return err
	}
	wrong := posted.wrong()
	for _, w := range wrong {
		d.say("wrong: %s", w)
	}
	if !d.once {
		d.say("The pages stay up until you press Ctrl-C: %s", d.github.WebURL)
		<-ctx.Done()
		return nil
	}
	if len(wrong) > 0 {
		d.say("%s", d.log())
		return exitCode(exitWrong)
	}
	return nil
}

// demoPreflight says in one message everything that the machine lacks.
func demoPreflight() (*sandbox.Sandbox, error) {
	var missing []string
	for command, packages := range map[string]string{"git": "git", "node": "nodejs", "npm": "npm"} {
		if _, err := exec.LookPath(command); err != nil {
			missing = append(missing, fmt.Sprintf("%s is missing: install %s with your package manager", command, packages))
		}
	}
	box, err := sandbox.New(sandbox.BestEffort, sandbox.Options{})
	if err != nil {
		missing = append(missing, err.Error())
	}
	if len(missing) > 0 {
		return nil, errors.New("the demo cannot run here: " + strings.Join(missing, "; "))
	}
	return box, nil
}

// startBot starts the bot as `bot serve` does, with its log in a file.
func (d *demo) startBot(ctx context.Context, cache string) error {
	key, secret := filepath.Join(d.dir, "key.pem"), filepath.Join(d.dir, "webhook-secret")
	if err := os.WriteFile(key, d.github.PrivateKeyPEM(), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(secret, []byte(d.github.WebhookSecret()), 0o600); err != nil {
		return err
	}
	log, err := os.Create(d.logFile())
	if err != nil {
		return err
	}
	ready := make(chan string, 1)
	ended := make(chan error, 1)
	d.bot = ended
	go func() {
		defer log.Close()
		ended <- serve(ctx, serveOptions{
			Listen:      "127.0.0.1:0",
			GitHubURL:   d.github.WebURL,
			AppID:       githubtest.AppID,
			PrivateKey:  key,
			SecretFiles: []string{secret},
			Database:    filepath.Join(d.dir, "bot.db"),
			Cache:       cache,
			Sandbox:     sandbox.BestEffort,
			Workers:     2,
			Forks:       worker.ForksStatic,
			// The stand-in's repositories belong to owners of its own.
			AllowedOwners: []string{demoOwner},
			Ready:         func(addr string) { ready <- addr },
			Log: slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{
				Level: slog.LevelDebug, ReplaceAttr: githubapp.RedactAttr,
			})),
		})
	}()
	select {
	case addr := <-ready:
		d.github.SetWebhookURL("http://" + addr + "/webhook")
		return nil
	case err := <-ended:
		return err
	case <-ctx.Done():
		return errors.Join(ctx.Err(), <-ended)
	}
}

// play opens the pull requests and waits for what is posted on them.
func (d *demo) play(ctx context.Context, box *sandbox.Sandbox, cache string) (*demoPosted, error) {
	ctx, cancel := context.WithTimeout(ctx, demoTimeout)
	defer cancel()
	d.say("Locking the servers of a new repository; a first run fetches their packages …")
	engine := &audit.Engine{
		Version: version.Version(),
		Env:     os.LookupEnv,
		Host:    os.LookupEnv,
		Sandbox: box,
		Cache:   cache,
	}
	repo, pulls, err := openPulls(ctx, d.github, engine)
	if err != nil {
		return nil, err
	}
	d.say("Three pull requests are open; the bot checks them …")
	for _, p := range pulls {
		if _, err := d.github.WaitForChecks(ctx, repo, p.HeadSHA(), report.LintCheck, report.LockCheck); err != nil {
			return nil, err
		}
		// The upload is the last thing that the bot does.
		if err := d.waitForScan(ctx, repo, p.HeadSHA()); err != nil {
			return nil, err
		}
	}
	return d.posted(repo, pulls), nil
}

func (d *demo) waitForScan(ctx context.Context, repo *githubtest.Repository, sha string) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		for _, up := range d.github.SARIFs(repo) {
			if up.CommitSHA == sha && up.Status != "pending" {
				return nil
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("no findings of %s in code scanning: %w", sha, ctx.Err())
		}
	}
}

func (d *demo) say(format string, args ...any) { fmt.Fprintf(d.err, format+"\n", args...) }

func (d *demo) logFile() string { return filepath.Join(d.dir, "bot.log") }

// log is the end of the bot's log, for a demo that went wrong.
func (d *demo) log() string {
	const longest = 8 << 10
	data, err := os.ReadFile(d.logFile())
	if err != nil {
		return err.Error()
	}
	return string(data[max(0, len(data)-longest):])
}
