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
				Message: subject + ": the model chooses which file of the server is written, and the schema allows any",
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
		kind := pathKindOf(param.Name)
		if kind == noPath || kind == inputPath || !takesAnyText(param.Schema, telling) {
			continue
		}
		switch writesTo(param, kind, &s) {
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

// pathKind is what a parameter's name says about a path.
type pathKind uint8

const (
	noPath     pathKind = iota
	somePath            // a path, to read or to write
	someFolder          // a folder, which mail and bookmarks have as well
	somePlace           // a place of any sort: a destination, an output
	outputPath          // the path of something that is written
	inputPath           // the path of something that is read
)

// pathKindOf reads the words of a parameter's name.
func pathKindOf(name string) pathKind {
	var buf [longestLastWord]byte
	word, rest := lastWord(name, &buf)
	kind := noPath
	switch string(word) {
	case "path", "paths", "file", "files", "filename", "filenames", "filepath", "filepaths", "dir", "dirs",
		"directory", "directories":
		kind = somePath
	case "folder", "folders":
		kind = someFolder
	case "outfile", "outdir", "outpath":
		return outputPath
	case "dest", "destination", "destinations", "output", "target", "out":
		return somePlace
	case "to": // save_to
		if word, _ = lastWord(rest, &buf); outputWord(string(word)) {
			return outputPath
		}
	}
	if kind == noPath {
		return noPath
	}
	for rest != "" {
		word, rest = lastWord(rest, &buf)
		if outputWord(string(word)) {
			return outputPath
		}
		switch string(word) {
		case "input", "source", "src", "template", "import", "json", "from", "schema", "config", "upload", "url", "api",
			"repo", "repository", "project", "workspace", "git", "base", "root", "working", "search", "key":
			return inputPath
		}
	}
	return kind
}

// outputWord reports whether a word of a parameter's name says that something is
// written.
func outputWord(word string) bool {
	switch word {
	case "output", "out", "dest", "destination", "save", "saved", "export", "download", "write":
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
func writesTo(param *linter.Param, kind pathKind, tool *toolSignals) written {
	description := param.Schema.Get("description").Text()
	said := readSignals(description)
	about := tool.get()
	if said.limitsPaths() || said&signalRemote != 0 || about.limitsPaths {
		return notWritten
	}
	writing := said&signalSaves != 0 && said&signalSource == 0
	switch kind {
	case outputPath:
		if description == "" || (said|about.name|about.summary)&(signalSaves|signalFile) != 0 {
			return saidWritten
		}
		return notWritten
	case somePlace:
		// A destination may be a town, an output a format.
		if said.has(signalFile|signalSaves) || about.name&signalFile != 0 && said&signalSource == 0 {
			return saidWritten
		}
		return notWritten
	case someFolder:
		if writing {
			return saidWritten
		}
		return notWritten
	}
	if writing || said&signalCreates != 0 && about.name&signalExports != 0 {
		return saidWritten
	}
	if (said|about.name)&signalSource != 0 || about.summary&signalRemote != 0 {
		return notWritten
	}
	// write_file and its like: the verb is in the name, and a file is what it is about.
	v, _ := nameVerb(tool.tool.Words())
	if e, _ := effectOf(tool.tool); v.files && (e == v.effect || e == effectChanges) && (about.name|about.summary)&signalFile != 0 {
		return impliedWritten
	}
	return notWritten
}
