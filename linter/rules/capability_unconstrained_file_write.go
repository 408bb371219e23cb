package rules

import (
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// fileWrite finds parameters that say where on the disk a tool writes.
var fileWrite = linter.Rule{
	ID:               "capability/unconstrained-file-write",
	Title:            "Tool that writes to any path",
	Why:              "A path that the model chooses can be a start-up file or a key as well as a report; a poisoned text then decides which.",
	Severity:         linter.Severities{Recommended: severity.Warning, Snapshot: severity.Warning},
	Bad:              `{"name":"export_levels","description":"Exports the water levels of one month to a file, one line a reading, and returns how many lines there are.","inputSchema":{"type":"object","properties":{"output_path":{"type":"string","description":"File to write."}}},"annotations":{"readOnlyHint":false}}`,
	Good:             `{"name":"export_levels","description":"Exports the water levels of one month to a file, one line a reading, and returns how many lines there are.","inputSchema":{"type":"object","properties":{"output_path":{"type":"string","description":"File to write, in the folder exports.","pattern":"^exports/[a-z0-9-]+\\.csv$"}}},"annotations":{"readOnlyHint":false}}`,
	SecuritySeverity: 6.5,
	Since:            firstVersion,
	References:       []string{toolsSpec + "#security-considerations"},
	Check: func(p *linter.Pass) {
		paths := writtenPaths
		if p.Preset() == linter.SnapshotPreset {
			paths = seedWrittenPaths
		}
		var faults []paramFault
		for _, tool := range p.Tools() {
			if params := paths(tool); params != nil {
				faults = append(faults, paramFault{tool: tool, params: params})
			}
		}
		reportParams(p, faults, func(subject string, _ severity.Level) linter.Finding {
			return linter.Finding{
				Message: subject + ": the model chooses which file of the server is written, and nothing limits it",
				Fix:     "Limit it to a folder (a pattern, a root that the server enforces) and say in the description which.",
			}
		})
	},
}

// writtenPaths returns the parameters that say where a tool writes.
func writtenPaths(tool *linter.Entity) []*linter.Param {
	var named, implied []*linter.Param
	params := tool.Params()
	s := toolSignals{tool: tool}
	for i := range params {
		param := &params[i]
		role := pathRole(param.Name)
		if role == noPath || role == input || !takesAnyText(param.Schema, telling) {
			continue
		}
		switch writesTo(param, role, &s) {
		case saidWritten:
			named = append(named, param)
		case impliedWritten:
			implied = append(implied, param)
		}
	}
	// Where one parameter is plainly the output, the others are what is read.
	if named != nil {
		return named
	}
	return implied
}

// role is what a parameter's name says about a path.
type role uint8

const (
	noPath      role = iota
	somePath         // a path, to read or to write
	someFolder       // a folder, which mail and bookmarks have as well
	somewhere        // a place of any sort: a destination, an output
	destination      // the path of something that is written
	input            // the path of something that is read
)

// pathRole reads the words of a parameter's name.
func pathRole(name string) role {
	var buf [longestLastWord]byte
	word, rest := lastWord(name, &buf)
	r := noPath
	switch string(word) {
	case "path", "paths", "file", "files", "filename", "filenames", "filepath", "filepaths", "dir", "dirs",
		"directory", "directories":
		r = somePath
	case "folder", "folders":
		r = someFolder
	case "outfile", "outdir", "outpath":
		return destination
	case "dest", "destination", "destinations", "output", "target", "out":
		return somewhere
	case "to": // save_to
		if word, _ = lastWord(rest, &buf); writes(string(word)) {
			return destination
		}
	}
	if r == noPath {
		return noPath
	}
	for rest != "" {
		word, rest = lastWord(rest, &buf)
		if writes(string(word)) {
			return destination
		}
		switch string(word) {
		case "input", "source", "src", "template", "import", "json", "from", "schema", "config", "upload", "url", "api",
			"repo", "repository", "project", "workspace", "git", "base", "root", "working", "search", "key":
			return input
		}
	}
	return r
}

// writes reports whether a word of a parameter's name says that something is
// written.
func writes(word string) bool {
	switch word {
	case "output", "out", "dest", "destination", "save", "saved", "export", "download", "target", "write":
		return true
	}
	return false
}

// written is how a parameter is known to be a place where something is written.
type written uint8

const (
	notWritten     written = iota
	impliedWritten         // by what the tool does
	saidWritten            // by the parameter's own name and description
)

// writesTo looks for the signals beside a parameter's name: that something is
// written there, and that there is the server's disk.
func writesTo(param *linter.Param, r role, tool *toolSignals) written {
	description := param.Schema.Get("description").Text()
	said := readSignals(description)
	about := tool.get()
	if said.limitsPaths() || said&remote != 0 || about.limitsPaths {
		return notWritten
	}
	switch {
	case r == destination && (description == "" || (said|about.name|about.summary)&(saves|localFile) != 0),
		// A destination may be a town, an output a format.
		r == somewhere && (said.has(localFile|saves) || about.name&localFile != 0 && said&source == 0),
		(r == somePath || r == someFolder) && said&saves != 0 && said&source == 0,
		r == somePath && said&creates != 0 && about.name&exports != 0:
		return saidWritten
	case r != somePath || said&source != 0 || about.summary&remote != 0 || about.name&source != 0:
		return notWritten
	}
	// write_file and its like: the verb is in the name, and a file is what it is about.
	v, _ := nameVerb(tool.tool.Words())
	if e, _ := effectOf(tool.tool); v.files && (e == v.effect || e == changes) && (about.name|about.summary)&localFile != 0 {
		return impliedWritten
	}
	return notWritten
}
