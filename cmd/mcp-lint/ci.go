package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
	"github.com/mcp-lint/mcp-lint/internal/sandbox"
	"github.com/mcp-lint/mcp-lint/linter/report"
	"github.com/mcp-lint/mcp-lint/linter/rules"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

func (a *app) ciCommand() *cobra.Command {
	var (
		out   outputFlags
		box   sandboxFlag
		base  string
		known baselineFlag
		bad   advisoriesFlag
	)
	cmd := &cobra.Command{
		Use:   "ci [DIR]",
		Short: "Review a checkout and print what the GitHub App would post",
		Long: `The servers of the checkout are found, started, linted and compared with its
lock, as the GitHub App does it for a pull request. --format github prints both
check runs and the comment word for word.

With --base, findings that the base has already are known ones, and its lock is
what merging changes. A git revision stands for the commit at which HEAD left
it, read from git's objects; a folder of the same name wins. Variables are given
only to servers that the base configures in the same way. With --baseline
the findings of an earlier report are the known ones. A known finding fails
nothing; scores under their minimum do, whatever was there before.`,
		Args: atMost(1, "one folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r := audit.Request{Head: ".", Sandbox: sandbox.Mode(box.mode), Now: time.Now(), Snapshots: true}
			if len(args) == 1 {
				r.Head = args[0]
			}
			if base != "" && known.path != "" {
				return usagef("--base and --baseline: expected one of them, both say which findings are known")
			}
			if err := known.load(); err != nil {
				return err
			}
			r.Earlier, r.BaseName = known.report, known.path
			list, err := bad.load()
			if err != nil {
				return err
			}
			work := func(ctx context.Context, r audit.Request) error { return a.ci(ctx, r, out, &known, list) }
			return interruptible(cmd.Context(), func(ctx context.Context) error {
				if base == "" {
					return work(ctx, r)
				}
				return a.withBase(ctx, r, base, func(r audit.Request) error { return work(ctx, r) })
			})
		},
	}
	out.add(cmd.Flags())
	out.addPlace(cmd.Flags())
	box.add(cmd.Flags(), sandbox.BestEffort)
	known.add(cmd.Flags())
	bad.add(cmd.Flags())
	cmd.Flags().Var(word{&base}, "base", "`folder` or git revision to compare with: its findings are known ones, its lock is what merging changes")
	return cmd
}

func (a *app) ci(ctx context.Context, r audit.Request, out outputFlags, known *baselineFlag, bad *advisory.List) error {
	e := a.engine(r.Sandbox)
	e.Advisories = bad
	review, err := e.Review(ctx, r)
	if err != nil || ctx.Err() != nil {
		return err
	}
	a.printErrors(&review.Report)
	a.tellFixed(known, &review.Report)
	if err := a.writeTo(out.path, func(w io.Writer) error { return a.writeReview(w, &out.mainFlags, out.format, review) }); err != nil {
		return err
	}
	if err := a.writeReviewFiles(out, review); err != nil {
		return err
	}
	return reviewVerdict(review)
}

// writeReview is writeFormat for the formats that people read, in which the lock
// of a pull request has sections of its own.
func (a *app) writeReview(w io.Writer, f *mainFlags, format string, r *report.Review) error {
	switch format {
	case "text":
		return report.WriteReviewText(w, r, report.TextOptions{Color: a.color(w) && !f.noColor, Width: width(w)})
	case "github":
		_, err := io.WriteString(w, posted(r))
		return err
	case "markdown":
		return report.WriteReviewMarkdown(w, r)
	case "html":
		return report.WriteReviewHTML(w, r, report.HTMLOptions{Rules: rules.All(), Snapshots: r.Snapshots})
	}
	return a.writeFormat(w, f, format, &r.Report, r.Snapshots, r.Limits)
}

func (a *app) writeReviewFiles(out outputFlags, r *report.Review) error {
	return a.writeExtra(out, &r.Report, func(w io.Writer, format string) error {
		return a.writeReview(w, &out.mainFlags, format, r)
	})
}

// posted is both check runs and the comment as the App posts them.
func posted(r *report.Review) string {
	var b strings.Builder
	for _, run := range []report.CheckRun{r.LintCheckRun(), r.LockCheckRun()} {
		fmt.Fprintf(&b, "%s: %s – %s\n", run.Name, run.Conclusion, run.Title)
		if run.Summary != "" {
			fmt.Fprintf(&b, "\n%s\n", run.Summary)
		}
		for _, n := range run.Annotations {
			fmt.Fprintf(&b, "%s:%d: %s: %s: %s\n",
				snapshot.Visible(n.Location.File), n.Location.Line, n.Severity, n.Title, strings.ReplaceAll(n.Message, "\n", "\n\t"))
		}
		b.WriteByte('\n')
	}
	if comment, wanted := r.Comment(report.CommentOptions{}); wanted {
		fmt.Fprintf(&b, "comment:\n\n%s\n", comment)
	} else {
		b.WriteString("comment: none\n")
	}
	return b.String()
}

// reviewVerdict is the exit code of a review: a failing check is 1; servers
// that were not checked make 3 when others were, 2 when none was.
func reviewVerdict(r *report.Review) error {
	lint, lock := r.LintCheckRun().Conclusion, r.LockCheckRun().Conclusion
	if lint == report.Failure || lock == report.Failure {
		return exit(exitFindings)
	}
	if lint != report.ActionRequired && lock != report.ActionRequired {
		return nil
	}
	if r.Report.Summary.NotChecked < len(r.Report.Servers) {
		return exit(exitPartial)
	}
	return exit(exitError)
}
