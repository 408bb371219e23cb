package report

import (
	"bytes"
	"cmp"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
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
	// maxResultText and maxPackedText bound the texts of all results, in bytes:
	// GitHub takes a file of 10 MB when compressed (the same page).
	maxResultText = 48 << 20
	maxPackedText = 8 << 20
	// cutRule is the rule of the last result of a document that lacks some.
	cutRule = "mcp-lint/results-cut"
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
	// URI is the file that all findings point at, at its first line, instead of
	// their own; empty leaves them where they are.
	URI string
	// Root is the absolute path of the repository: files in it that were named
	// by an absolute path get their place there.
	Root string
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
// run that GitHub's code scanning takes: every result has a place inside the
// repository (the configuration file's first line, when its own is outside) and
// a fingerprint, columns count UTF-16 units, identical results are told once,
// the worst come first, and of more than GitHub keeps these are written and a
// last result says so.
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
	c := &sarifCollector{options: o, told: map[string]bool{}, repeats: map[string]int{}, outside: map[string]bool{}}
	c.collect(r)
	results, dropped := c.bounded()
	catalogue := newSARIFRules(o.Rules)
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
	run.Invocations = []*sarif.Invocation{sarifInvocation(r, dropped, c.outside)}
	return run
}

var semantic = regexp.MustCompile(`^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$`)

// sarifInvocation says what the results do not: servers that were not checked,
// results that were dropped, files that are not in the repository.
func sarifInvocation(r *Report, dropped int, outside map[string]bool) *sarif.Invocation {
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
		note("warning", cutText(dropped))
	}
	if len(outside) > 0 {
		first := slices.Min(slices.Collect(maps.Keys(outside)))
		note("note", counted(len(outside), "file is", "files are")+" not in the repository ("+oneLine(shorten(first, maxCode))+"): the results are at "+configFile+".")
	}
	return inv
}

func cutText(dropped int) string {
	return counted(dropped, "less serious result was", "less serious results were") + " left out: GitHub keeps " + grouped(maxResults) + " of one run."
}

// sarifCollector makes results of what a report says.
type sarifCollector struct {
	options *SARIFOptions
	all     []sarifResult
	told    map[string]bool
	repeats map[string]int  // fingerprints
	outside map[string]bool // files that are not in the repository
}

func (c *sarifCollector) add(res sarifResult, fingerprint string) {
	if c.told[res.identity] {
		return
	}
	c.told[res.identity] = true
	// The shape that the upload action gives: hash, colon, number among equals.
	c.repeats[fingerprint]++
	res.PartialFingerprints = map[string]any{"primaryLocationLineHash": fmt.Sprintf("%s:%d", fingerprint, c.repeats[fingerprint])}
	c.all = append(c.all, res)
}

func (c *sarifCollector) collect(r *Report) {
	o := c.options
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
			c.add(c.finding(s.Key, f), f.Fingerprint)
		}
		if s.Lock == nil {
			continue
		}
		for j := range s.Lock.Changes {
			ch := &s.Lock.Changes[j]
			fingerprint := changeFingerprint(s.Key, ch)
			res := c.change(s.Key, ch, onLine(places[placeKey{s.Key, ch.Entity}], cmp.Or(o.LockPath, configFile)))
			res.identity += "\x00" + fingerprint
			c.add(res, fingerprint)
		}
	}
}

// bounded are the results, worst first, as many as GitHub keeps; the last one
// says how many others there are.
func (c *sarifCollector) bounded() (results []sarifResult, dropped int) {
	slices.SortStableFunc(c.all, func(a, b sarifResult) int { return cmp.Compare(b.severity, a.severity) })
	keep := roomFor(c.all)
	if keep == len(c.all) {
		return c.all, 0
	}
	keep = min(keep, maxResults-1)
	results, dropped = c.all[:keep:keep], len(c.all)-keep
	note := newResult(cutRule, severity.Info, "", snapshot.Ref{Kind: snapshot.KindServer}, "", cutText(dropped), place{configFile, 1, 0})
	note.PartialFingerprints = map[string]any{"primaryLocationLineHash": fmt.Sprintf("%x:1", sha256.Sum256([]byte(cutRule)))}
	return append(results, note), dropped
}

// roomFor counts the results that a document may hold.
func roomFor(results []sarifResult) int {
	var packed counter
	z, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		return 0 // the level is a valid one
	}
	size, unpacked := 0, 0
	for i := range results {
		size += len(results[i].identity)
		if i == maxResults || size > maxResultText {
			return i
		}
		if size <= maxPackedText {
			continue // whatever is packed is no larger
		}
		for ; unpacked <= i; unpacked++ {
			_, _ = io.WriteString(z, results[unpacked].identity) // a counter has no errors
		}
		if packed > maxPackedText {
			return i
		}
	}
	return len(results)
}

// counter counts what is written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func (c *sarifCollector) finding(key string, f *linter.Finding) sarifResult {
	text := oneLine(shorten(f.Message, maxExcerpt))
	if items := itemsText(f, maxItems); items != "" {
		text += " " + items
	}
	at := c.place(onLine(f.Location, configFile))
	if c.options.URI != "" {
		at = c.place(snapshot.Location{File: c.options.URI, Line: 1})
	}
	res := newResult(f.Rule, f.Severity, key, f.Entity, f.Path, sentence(text, shorten(f.Fix, maxExcerpt)), at)
	if f.Suppressed != nil {
		sup := sarif.NewSuppression("external").WithStatus("accepted").WithJustifcation(oneLine(shorten(f.Suppressed.Reason, maxExcerpt)))
		res.Suppressions = []*sarif.Suppression{sup}
	}
	res.identity += "\x00" + f.Fingerprint
	return res
}

func (c *sarifCollector) change(key string, ch *lockfile.Change, at snapshot.Location) sarifResult {
	text := sentence(oneLine(shorten(ch.Message, maxExcerpt)), "")
	return newResult(lockRulePrefix+ch.Kind, ch.Severity, key, ch.Entity, ch.Path, text, c.place(at))
}

// place is where a result is shown: a URI relative to the repository.
type place struct {
	uri          string
	line, column int
}

// place finds a file in the repository; what is not in it (a file elsewhere, a
// live server, standard input) is shown at the configuration file.
func (c *sarifCollector) place(l snapshot.Location) place {
	uri, ok := artifactURI(l.File, c.options.Root)
	if !ok {
		if l.File != "-" {
			c.outside[l.File] = true
		}
		return place{uri: configFile, line: 1}
	}
	return place{uri, l.Line, l.Column}
}

// newResult makes what findings and changes have in common.
func newResult(rule string, level severity.Level, key string, entity snapshot.Ref, pointer, text string, at place) sarifResult {
	text = sarifText(entityText(entity) + ": " + text)
	region := sarif.NewRegion().WithStartLine(at.line)
	if at.column > 0 {
		region.WithStartColumn(at.column)
	}
	// Bounded, for they come again with every result.
	name := strings.Join([]string{oneLine(shorten(key, maxCode)), string(entity.Kind), oneLine(shorten(entity.Name, maxCode))}, "/") +
		oneLine(shorten(pointer, maxCode))
	res := sarif.NewRuleResult(rule).WithLevel(sarifLevel(level)).WithMessage(sarif.NewTextMessage(text)).WithLocations([]*sarif.Location{
		sarif.NewLocationWithPhysicalLocation(sarif.NewPhysicalLocation().
			WithArtifactLocation(sarif.NewSimpleArtifactLocation(at.uri)).WithRegion(region)).
			WithLogicalLocations([]*sarif.LogicalLocation{sarif.NewLogicalLocation().WithFullyQualifiedName(name).WithKind("member")}),
	})
	return sarifResult{Result: res, severity: level, identity: strings.Join([]string{rule, text, at.uri, itoa(at.line), itoa(at.column), name}, "\x00")}
}

// changeFingerprint names a change over edits of its texts: rule, server key,
// entity and pointer.
func changeFingerprint(key string, c *lockfile.Change) string {
	h := sha256.Sum256([]byte(strings.Join([]string{lockRulePrefix + c.Kind, key, string(c.Entity.Kind), c.Entity.Name, c.Path}, "\x00")))
	return hex.EncodeToString(h[:])
}

func ptr[T any](v T) *T { return &v }
