package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
	"github.com/mcp-lint/mcp-lint/lockfile"
	"github.com/owenrumney/go-sarif/v2/sarif"
)

const (
	// sarifTool never changes: GitHub closes alerts of a tool that a later
	// upload does not name.
	sarifTool = "mcp-lint"
	homepage  = "https://github.com/mcp-lint/mcp-lint"
	schemaURI = "https://json.schemastore.org/sarif-2.1.0.json"
	// maxResults is what GitHub keeps of one run; it takes 25,000
	// (https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning).
	maxResults = 5000
)

// SARIFOptions says what a SARIF document is for.
type SARIFOptions struct {
	// Category becomes automationDetails.id. It ends in a slash and must never
	// change for one way of running; empty leaves it out.
	Category string
	// Rules are described in the document, in this order. Rules that findings
	// name and that are missing here are added with what is known of them.
	Rules []linter.Rule
	// IncludeSuppressed keeps suppressed findings, with their reasons. GitHub
	// ignores suppressions and would open alerts, so an upload leaves them out.
	IncludeSuppressed bool
	// Indent makes the document readable and larger.
	Indent bool
	// LockPath and Places are where lock changes point; without them they point
	// at the configuration file.
	LockPath string
	Places   []Place
}

// WriteSARIF writes the review's report with its lock changes at the lines of
// the head's lock.
func (r *Review) WriteSARIF(w io.Writer, o SARIFOptions) error {
	o.LockPath, o.Places = r.Lock.Path, nil
	for at, l := range r.Lock.placeIndex() {
		o.Places = append(o.Places, Place{Key: at.server, Entity: at.entity, Location: l})
	}
	return WriteSARIF(w, &r.Report, o)
}

// WriteSARIF writes findings and lock changes as a SARIF 2.1.0 document of one
// run that GitHub's code scanning takes: every result has a place and a
// fingerprint, columns count UTF-16 units, identical results are told once, and
// of more than 5,000 the worst are kept and the run says so.
func WriteSARIF(w io.Writer, r *Report, o SARIFOptions) error {
	doc, err := sarif.New(sarif.Version210)
	if err != nil {
		return fmt.Errorf("making the SARIF report: %w", err)
	}
	doc.Schema = schemaURI
	doc.AddRun(newSARIFRun(r, &o))
	var b bytes.Buffer
	if err := doc.Write(&b); err != nil {
		return fmt.Errorf("encoding the SARIF report: %w", err)
	}
	clean, err := withoutNulls(b.Bytes(), o.Indent)
	if err != nil {
		return fmt.Errorf("encoding the SARIF report: %w", err)
	}
	if _, err := w.Write(escapeHidden(clean)); err != nil {
		return fmt.Errorf("writing the SARIF report: %w", err)
	}
	return nil
}

// sarifResult is a result with what decides about its place in the list.
type sarifResult struct {
	*sarif.Result
	severity severity.Level
	identity string // equal for results that say the same
}

func newSARIFRun(r *Report, o *SARIFOptions) *sarif.Run {
	results := sarifResults(r, o)
	catalogue := newSARIFRules(o.Rules)
	dropped := 0
	if len(results) > maxResults {
		slices.SortStableFunc(results, func(a, b sarifResult) int { return cmp.Compare(b.severity, a.severity) })
		dropped = len(results) - maxResults
		results = results[:maxResults]
	}
	driver := sarif.NewVersionedDriver(sarifTool, cmp.Or(r.Tool.Version, "unknown"))
	if semantic.MatchString(r.Tool.Version) {
		driver.SemanticVersion = &r.Tool.Version
	}
	driver.InformationURI = ptr(homepage)
	run := sarif.NewRun(sarif.Tool{Driver: driver})
	for _, res := range results {
		run.Results = append(run.Results, res.WithRuleIndex(catalogue.index(*res.RuleID, res.severity)))
	}
	driver.Rules = catalogue.rules
	if o.Category != "" {
		run.AutomationDetails = sarif.NewRunAutomationDetails().WithID(o.Category)
	}
	run.ColumnKind = "utf16CodeUnits"
	run.Invocations = []*sarif.Invocation{sarifInvocation(r, dropped)}
	return run
}

var semantic = regexp.MustCompile(`^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$`)

// sarifInvocation says what the results do not: servers that were not checked,
// results that were dropped.
func sarifInvocation(r *Report, dropped int) *sarif.Invocation {
	inv := sarif.NewInvocation()
	inv.ExecutionSuccessful = ptr(r.Complete())
	note := func(level, text string) {
		n := sarif.NewNotification().WithLevel(level)
		n.Message = sarif.NewTextMessage(sarifText(text))
		inv.ToolExecutionNotifications = append(inv.ToolExecutionNotifications, n)
	}
	for i := range r.Servers {
		if s := &r.Servers[i]; s.Error != nil {
			note("error", "Server "+oneLine(s.Key)+" was not checked: "+errorText(s.Error))
		}
	}
	if dropped > 0 {
		note("warning", fmt.Sprintf("%d less serious results were left out: at most %d are written.", dropped, maxResults))
	}
	return inv
}

func sarifResults(r *Report, o *SARIFOptions) []sarifResult {
	var all []sarifResult
	told := map[string]bool{}
	repeats := map[string]int{}
	add := func(res sarifResult, fingerprint string) {
		if told[res.identity] {
			return
		}
		told[res.identity] = true
		// The shape that the upload action gives: hash, colon, number among equals.
		repeats[fingerprint]++
		res.PartialFingerprints = map[string]any{"primaryLocationLineHash": fmt.Sprintf("%s:%d", fingerprint, repeats[fingerprint])}
		all = append(all, res)
	}
	places := map[placeKey]snapshot.Location{}
	for _, p := range o.Places {
		places[placeKey{p.Key, p.Entity}] = p.Location
	}
	for i := range r.Servers {
		s := &r.Servers[i]
		for j := range s.Findings {
			f := &s.Findings[j]
			if f.Suppressed != nil && !o.IncludeSuppressed {
				continue
			}
			add(findingResult(s.Key, f), f.Fingerprint)
		}
		if s.Lock == nil {
			continue
		}
		for j := range s.Lock.Changes {
			c := &s.Lock.Changes[j]
			place := onLine(places[placeKey{s.Key, c.Entity}], cmp.Or(o.LockPath, configFile))
			res, fingerprint := changeResult(s.Key, c, place), changeFingerprint(s.Key, c)
			res.identity += "\x00" + fingerprint
			add(res, fingerprint)
		}
	}
	return all
}

func findingResult(key string, f *linter.Finding) sarifResult {
	text := oneLine(f.Message)
	if items := itemsText(f); items != "" {
		text += " " + items
	}
	res := newResult(f.Rule, f.Severity, key, f.Entity, f.Path, sentence(text, f.Fix), onLine(f.Location, configFile))
	if f.Suppressed != nil {
		sup := sarif.NewSuppression("external").WithStatus("accepted").WithJustifcation(oneLine(f.Suppressed.Reason))
		res.Suppressions = []*sarif.Suppression{sup}
	}
	res.identity += "\x00" + f.Fingerprint
	return res
}

func changeResult(key string, c *lockfile.Change, place snapshot.Location) sarifResult {
	return newResult(lockRulePrefix+c.Kind, c.Severity, key, c.Entity, c.Path, sentence(oneLine(c.Message), ""), place)
}

// newResult makes what findings and changes have in common.
func newResult(rule string, level severity.Level, key string, entity snapshot.Ref, pointer, text string, at snapshot.Location) sarifResult {
	text = sarifText(entityText(entity) + ": " + text)
	region := sarif.NewRegion().WithStartLine(at.Line)
	if at.Column > 0 {
		region.WithStartColumn(at.Column)
	}
	// Bounded, for they come again with every result.
	name := strings.Join([]string{oneLine(shorten(key, maxCode)), string(entity.Kind), oneLine(shorten(entity.Name, maxCode))}, "/") +
		oneLine(shorten(pointer, maxCode))
	uri := artifactURI(at.File)
	res := sarif.NewRuleResult(rule).WithLevel(sarifLevel(level)).WithMessage(sarif.NewTextMessage(text)).WithLocations([]*sarif.Location{
		sarif.NewLocationWithPhysicalLocation(sarif.NewPhysicalLocation().
			WithArtifactLocation(sarif.NewSimpleArtifactLocation(uri)).WithRegion(region)).
			WithLogicalLocations([]*sarif.LogicalLocation{sarif.NewLogicalLocation().WithFullyQualifiedName(name).WithKind("member")}),
	})
	return sarifResult{Result: res, severity: level, identity: strings.Join([]string{rule, text, uri, itoa(at.Line), itoa(at.Column), name}, "\x00")}
}

// changeFingerprint names a change over edits of its texts: rule, server key,
// entity and pointer.
func changeFingerprint(key string, c *lockfile.Change) string {
	h := sha256.Sum256([]byte(strings.Join([]string{lockRulePrefix + c.Kind, key, string(c.Entity.Kind), c.Entity.Name, c.Path}, "\x00")))
	return hex.EncodeToString(h[:])
}

func ptr[T any](v T) *T { return &v }
