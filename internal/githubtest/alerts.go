package githubtest

import (
	"slices"
	"strings"
	"time"
)

// alert is one code scanning alert: the same finding, by tool, rule and
// fingerprint, on every ref it was seen on.
type alert struct {
	number        int
	repo          *Repository
	tool, version string
	rule          sarifRule
	fingerprint   string
	created       time.Time
	updated       time.Time
	instances     map[string]*alertInstance // by ref and category
	last          *alertInstance
}

type alertInstance struct {
	ref, category, sha string
	result             sarifResult
	fixed              bool
}

// applyRun opens the alerts of a run, and closes those of the same tool, category
// and ref that it no longer has (docs, about-code-scanning-alerts.md).
func (r *Repository) applyRun(up *sarif, run sarifRun) {
	slot := up.ref + "\x00" + run.category
	now := r.s.now()
	present := map[*alert]bool{}
	for _, result := range run.results[:min(len(run.results), KeptSARIFResults)] {
		a := r.alert(run, result, now)
		present[a] = true
		a.last = &alertInstance{ref: up.ref, category: run.category, sha: up.sha, result: result}
		a.instances[slot], a.updated, a.version = a.last, now, run.version
	}
	for _, a := range r.alerts {
		if i := a.instances[slot]; i != nil && a.tool == run.tool && !present[a] && !i.fixed {
			i.fixed, a.updated = true, now
		}
	}
}

// alert finds or opens the alert of a result.
func (r *Repository) alert(run sarifRun, result sarifResult, now time.Time) *alert {
	key := run.tool + "\x00" + result.rule + "\x00" + result.fingerprint
	if r.alertIndex[key] == nil {
		a := &alert{number: len(r.alerts) + 1, repo: r, tool: run.tool, fingerprint: result.fingerprint, created: now, instances: map[string]*alertInstance{}, rule: sarifRule{id: result.rule}}
		if i := slices.IndexFunc(run.rules, func(x sarifRule) bool { return x.id == result.rule }); i >= 0 {
			a.rule = run.rules[i]
		}
		r.alerts = append(r.alerts, a)
		r.alertIndex[key] = a
	}
	return r.alertIndex[key]
}

// on returns the alert's instance on a ref, an open one first when categories
// differ; "" means the one last seen.
func (a *alert) on(ref string) (found *alertInstance) {
	if ref == "" {
		return a.last
	}
	for _, i := range a.instances {
		if i.ref == ref && (found == nil || found.fixed) {
			found = i
		}
	}
	return found
}

// state over all refs: fixed only when it is fixed everywhere.
func (a *alert) state() string {
	for _, i := range a.instances {
		if !i.fixed {
			return "open"
		}
	}
	return "fixed"
}

func (i *alertInstance) state() string {
	if i.fixed {
		return "fixed"
	}
	return "open"
}

func alertRoutes() map[string]route {
	read := []string{"security_events:read"}
	return map[string]route{
		"code-scanning/list-alerts-for-repo": {needs: read, handle: listAlerts},
		"code-scanning/list-recent-analyses": {needs: read, handle: listAnalyses},
	}
}

// fullRef completes what the query may give as a branch name.
func fullRef(ref string) string {
	if ref == "" || strings.HasPrefix(ref, "refs/") {
		return ref
	}
	return "refs/heads/" + strings.TrimPrefix(ref, "heads/")
}

func listAlerts(c *call) reply {
	if off := scanningOff(c.repo); off != nil {
		return *off
	}
	ref := fullRef(c.query("ref"))
	var found []*alert
	for _, a := range slices.Backward(c.repo.alerts) {
		i := a.on(ref)
		if i == nil || (c.query("tool_name") != "" && c.query("tool_name") != a.tool) {
			continue
		}
		state := a.state()
		if ref != "" {
			state = i.state()
		}
		if c.query("state") == "" || c.query("state") == state {
			found = append(found, a)
		}
	}
	return listed(c, found, func(a *alert) obj { return a.object(a.on(ref)) })
}

func (a *alert) object(i *alertInstance) obj {
	self := a.repo.api("code-scanning/alerts/%d", a.number)
	state := a.state()
	var fixedAt any
	if state == "fixed" {
		fixedAt = stamp(a.updated)
	}
	location := obj{"path": i.result.path, "start_line": i.result.startLine, "end_line": i.result.endLine, "start_column": i.result.startColumn, "end_column": i.result.endCol}
	return obj{
		"number": a.number, "created_at": stamp(a.created), "updated_at": stamp(a.updated), "url": self, "instances_url": self + "/instances",
		"html_url": a.repo.page("security/code-scanning", int64(a.number)), "state": state, "fixed_at": fixedAt,
		"dismissed_by": nil, "dismissed_at": nil, "dismissed_reason": nil, "dismissed_comment": nil,
		"rule": obj{"id": a.rule.id, "name": a.rule.name, "severity": i.result.level, "description": a.rule.short, "full_description": a.rule.full},
		"tool": obj{"name": a.tool, "version": a.version, "guid": nil},
		"most_recent_instance": obj{
			"ref": i.ref, "analysis_key": "api", "environment": "{}", "category": i.category, "state": i.state(), "commit_sha": i.sha,
			"message": obj{"text": i.result.message}, "location": location, "classifications": []any{},
		},
	}
}

func listAnalyses(c *call) reply {
	if off := scanningOff(c.repo); off != nil {
		return *off
	}
	type analysis struct {
		up  *sarif
		run sarifRun
	}
	ref := fullRef(c.query("ref"))
	if pr := c.query("pr"); pr != "" {
		ref = "refs/pull/" + pr + "/head"
	}
	var found []analysis
	for _, up := range slices.Backward(c.repo.sarifs) {
		if !up.done || len(up.errors) > 0 || (ref != "" && ref != up.ref) || (c.query("sarif_id") != "" && c.query("sarif_id") != up.id) {
			continue
		}
		for _, run := range up.runs {
			if c.query("tool_name") == "" || c.query("tool_name") == run.tool {
				found = append(found, analysis{up, run})
			}
		}
	}
	return listed(c, found, func(a analysis) obj {
		return obj{
			"ref": a.up.ref, "commit_sha": a.up.sha, "analysis_key": "api", "environment": "{}", "category": a.run.category, "error": "", "warning": "",
			"created_at": stamp(a.up.created), "results_count": len(a.run.results), "rules_count": len(a.run.rules), "id": a.up.number,
			"url": c.repo.api("code-scanning/analyses/%d", a.up.number), "sarif_id": a.up.id, "deletable": true,
			"tool": obj{"name": a.run.tool, "version": a.run.version, "guid": nil},
		}
	})
}
