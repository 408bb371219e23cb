package githubtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// sarifRun is what code scanning takes from one run.
type sarifRun struct {
	tool, version, category string
	rules                   []sarifRule
	results                 []sarifResult
}

type sarifRule struct{ id, name, short, full string }

type sarifResult struct {
	rule, level, message string
	path                 string
	startLine, endLine   int
	startColumn, endCol  int
	fingerprint          string // "PATH:LINE" when the upload had none
}

// sarifLog is the part of SARIF 2.1.0 that code scanning reads; pointers and nil
// slices tell what is absent.
type sarifLog struct {
	Version string `json:"version"`
	Runs    []struct {
		Tool *struct {
			Driver     *sarifComponent  `json:"driver"`
			Extensions []sarifComponent `json:"extensions"`
		} `json:"tool"`
		AutomationDetails struct {
			ID string `json:"id"`
		} `json:"automationDetails"`
		Results []sarifLogResult `json:"results"`
	} `json:"runs"`
}

type sarifComponent struct {
	Name            string `json:"name"`
	Version         string `json:"version"`
	SemanticVersion string `json:"semanticVersion"`
	Rules           []struct {
		ID               string    `json:"id"`
		Name             string    `json:"name"`
		ShortDescription sarifText `json:"shortDescription"`
		FullDescription  sarifText `json:"fullDescription"`
		Help             sarifText `json:"help"`
		Default          struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	} `json:"rules"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifLogResult struct {
	RuleID    string    `json:"ruleId"`
	RuleIndex *int      `json:"ruleIndex"`
	Level     string    `json:"level"`
	Message   sarifText `json:"message"`
	Locations []struct {
		Physical *struct {
			Artifact *struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region *struct {
				StartLine   int `json:"startLine"`
				EndLine     int `json:"endLine"`
				StartColumn int `json:"startColumn"`
				EndColumn   int `json:"endColumn"`
			} `json:"region"`
		} `json:"physicalLocation"`
	} `json:"locations"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
}

// readSARIF turns a document into runs, or into the errors that its processing
// ends with. Wordings follow GitHub's where an issue quotes them.
func readSARIF(document []byte) (runs []sarifRun, problems []string) {
	var log sarifLog
	if err := json.Unmarshal(document, &log); err != nil {
		return nil, []string{fmt.Sprintf("invalid SARIF: %v", err)}
	}
	bad := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if log.Version != "2.1.0" {
		bad("unsupported SARIF version %q: expected 2.1.0", log.Version)
	}
	if len(log.Runs) == 0 { // https://github.com/github/codeql-action/issues/390
		bad("invalid SARIF: 1 item required in runs; only 0 were supplied")
	}
	if len(log.Runs) > MaxSARIFRuns {
		bad("rejecting SARIF, as there are more runs than allowed (%d > %d)", len(log.Runs), MaxSARIFRuns)
	}
	seen := map[string]bool{}
	for i, run := range log.Runs {
		where := fmt.Sprintf("runs[%d]", i)
		if run.Tool == nil || run.Tool.Driver == nil || run.Tool.Driver.Name == "" {
			bad("%s: tool.driver.name is required", where)
			continue
		}
		driver := run.Tool.Driver
		out := sarifRun{tool: driver.Name, version: cmp.Or(driver.SemanticVersion, driver.Version), category: category(run.AutomationDetails.ID)}
		if key := out.tool + "\x00" + out.category; seen[key] { // https://github.com/codacy/codacy-analysis-cli/issues/541
			bad("A delivery cannot contain multiple runs with the same category (%s, %q).", out.tool, out.category)
		} else {
			seen[key] = true
		}
		if len(run.Tool.Extensions) > MaxSARIFExtensions {
			bad("rejecting SARIF, as there are more tool extensions than allowed (%d > %d)", len(run.Tool.Extensions), MaxSARIFExtensions)
		}
		levels := map[string]string{}
		for _, component := range append([]sarifComponent{*driver}, run.Tool.Extensions...) {
			out.rules = append(out.rules, readRules(component, where, levels, bad)...)
		}
		if len(out.rules) > MaxSARIFRules {
			bad("rejecting SARIF, as there are more rules than allowed (%d > %d)", len(out.rules), MaxSARIFRules)
		}
		if run.Results == nil { // https://github.com/github/codeql-action/issues/420
			bad("%s: results is required, an empty array if there are none", where)
		}
		if len(run.Results) > MaxSARIFResults {
			bad("rejecting SARIF, as there are more results per run than allowed (%d > %d)", len(run.Results), MaxSARIFResults)
		}
		for j, result := range run.Results {
			read, why := readResult(result, out, levels)
			if why != "" {
				bad("%s.results[%d]: %s", where, j, why)
			}
			out.results = append(out.results, read)
		}
		slices.SortStableFunc(out.results, worstFirst)
		runs = append(runs, out)
	}
	if len(problems) > 20 {
		problems = append(problems[:20], fmt.Sprintf("and %d more", len(problems)-20))
	}
	return runs, problems
}

// category is automationDetails.id up to the last slash; without one it is empty
// (docs, sarif-support-for-code-scanning.md, runAutomationDetails object).
func category(id string) string { return id[:strings.LastIndex(id, "/")+1] }

func readRules(component sarifComponent, where string, levels map[string]string, bad func(string, ...any)) []sarifRule {
	var rules []sarifRule
	ids := map[string]bool{}
	for _, rule := range component.Rules {
		switch {
		case rule.ID == "":
			bad("%s: a rule without id", where)
		case ids[rule.ID]: // https://github.com/aquasecurity/trivy-action/issues/22
			bad("%s: rule %s is defined twice", where, rule.ID)
		case utf8.RuneCountInString(rule.Name) > MaxSARIFNameLength:
			bad("%s: name of rule %s is longer than %d", where, rule.ID, MaxSARIFNameLength)
		case rule.ShortDescription.Text == "" || rule.FullDescription.Text == "" || rule.Help.Text == "":
			bad("%s: rule %s needs shortDescription, fullDescription and help", where, rule.ID)
		case max(utf8.RuneCountInString(rule.ShortDescription.Text), utf8.RuneCountInString(rule.FullDescription.Text)) > MaxSARIFDescriptionLength:
			bad("%s: a description of rule %s is longer than %d", where, rule.ID, MaxSARIFDescriptionLength)
		}
		ids[rule.ID] = true
		levels[rule.ID] = rule.Default.Level
		rules = append(rules, sarifRule{id: rule.ID, name: rule.Name, short: rule.ShortDescription.Text, full: rule.FullDescription.Text})
	}
	return rules
}

func readResult(result sarifLogResult, run sarifRun, levels map[string]string) (sarifResult, string) {
	id := result.RuleID
	if i := result.RuleIndex; id == "" && i != nil && *i >= 0 && *i < len(run.rules) {
		id = run.rules[*i].id
	}
	out := sarifResult{rule: id, message: result.Message.Text, level: cmp.Or(result.Level, levels[id], "warning")}
	switch {
	case id == "":
		return out, "ruleId is required"
	case out.message == "":
		return out, "message.text is required"
	case !slices.Contains([]string{"error", "warning", "note", "none"}, out.level):
		return out, fmt.Sprintf("level %q is not one of error, warning, note, none", out.level)
	case len(result.Locations) == 0: // https://github.com/github/codeql-action/issues/2459
		return out, "locationFromSarifResult: expected at least one location"
	case len(result.Locations) > MaxSARIFLocationsPerResult:
		return out, fmt.Sprintf("more locations than allowed (%d > %d)", len(result.Locations), MaxSARIFLocationsPerResult)
	}
	place := result.Locations[0].Physical
	if place == nil {
		return out, "locationFromSarifResult: expected a physical location"
	}
	if place.Artifact == nil || place.Artifact.URI == "" { // https://github.com/Checkmarx/2ms/issues/128
		return out, "locationFromSarifResult: expected artifact location"
	}
	// https://github.com/PaloAltoNetworks/prisma-cloud-scan/issues/38
	uri, err := url.Parse(place.Artifact.URI)
	if err != nil || uri.IsAbs() || strings.HasPrefix(uri.Path, "/") || slices.Contains(strings.Split(uri.Path, "/"), "..") {
		return out, fmt.Sprintf("artifact URI %q is not relative to the repository", place.Artifact.URI)
	}
	out.path, out.startLine = uri.Path, 1
	if r := place.Region; r != nil {
		if r.StartLine < 1 || (r.EndLine != 0 && r.EndLine < r.StartLine) {
			return out, fmt.Sprintf("lines %d to %d are not a region", r.StartLine, r.EndLine)
		}
		out.startLine, out.endLine, out.startColumn, out.endCol = r.StartLine, r.EndLine, r.StartColumn, r.EndColumn
	}
	out.endLine = max(out.endLine, out.startLine)
	// Only this key is used (docs, sarif-support-for-code-scanning.md).
	if out.fingerprint = result.PartialFingerprints["primaryLocationLineHash"]; out.fingerprint == "" {
		out.fingerprint = fmt.Sprintf("%s:%d", out.path, out.startLine)
	}
	return out, ""
}
