package rules

import (
	"slices"
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// What the second seed's capability rules go by (snapshot-lint, sections 2 and
// 3): words of names, and whether a parameter is limited by its schema.

// seedText reports whether a parameter can be a text as the second seed has it:
// every schema without a type can. We except unions of nothing but numbers,
// booleans and null.
func seedText(schema *snapshot.Node) bool {
	t := schema.Get("type")
	switch {
	case t == nil:
		return !onlyScalars(schema.Get("anyOf")) && !onlyScalars(schema.Get("oneOf"))
	case t.Type() == snapshot.Array:
		return slices.ContainsFunc(t.Elements(), func(n *snapshot.Node) bool { return n.Text() == "string" })
	}
	return t.Text() == "string"
}

func onlyScalars(union *snapshot.Node) bool {
	return union.Len() > 0 && !slices.ContainsFunc(union.Elements(), func(branch *snapshot.Node) bool {
		switch branch.Get("type").Text() {
		case "integer", "number", "boolean", "null":
			return false
		}
		return true
	})
}

// seedConstrained: any enum, const or pattern limits a parameter.
func seedConstrained(schema *snapshot.Node) bool {
	return schema.Get("enum").Type() == snapshot.Array || schema.Has("const") || schema.Get("pattern").IsText()
}

// seedOpen reports whether a parameter takes any text, as the second seed has it.
func seedOpen(p *linter.Param) bool { return seedText(p.Schema) && !seedConstrained(p.Schema) }

func seedShellParam(name string) bool {
	switch strings.ToLower(name) {
	case "command", "cmd", "script", "shell", "commandline", "command_line":
		return true
	}
	return false
}

func seedShellWord(word string) bool {
	switch word {
	case "exec", "execute", "shell", "bash", "sh", "zsh", "powershell", "pwsh", "cmd", "eval", "spawn",
		"subprocess", "terminal":
		return true
	}
	return false
}

// seedShellName reports whether a tool's name speaks of a shell.
func seedShellName(words []string) bool {
	return slices.ContainsFunc(words, seedShellWord) ||
		slices.Contains(words, "run") && (slices.Contains(words, "command") || slices.Contains(words, "script"))
}

func seedWriteWord(word string) bool {
	switch word {
	case "write", "delete", "remove", "rm", "move", "mv", "rename", "save", "create", "append", "edit",
		"overwrite", "upload", "mkdir", "unlink", "put", "patch", "update", "copy", "truncate":
		return true
	}
	return false
}

// seedPathParam reports whether a parameter's name ends with a word for a path,
// which stands at the start or after _ or -.
func seedPathParam(name string) bool {
	name = lowerASCII(name)
	switch name[strings.LastIndexAny(name, "_-")+1:] {
	case "path", "paths", "file", "files", "filename", "filepath", "dir", "directory", "folder", "dest",
		"destination", "target":
		return true
	}
	return false
}

// seedWrittenPaths returns the parameters of a tool that writes which can be
// any path.
func seedWrittenPaths(tool *linter.Entity) []*linter.Param {
	if !slices.ContainsFunc(tool.Words(), seedWriteWord) {
		return nil
	}
	var found []*linter.Param
	params := tool.Params()
	for i := range params {
		if param := &params[i]; seedPathParam(param.Name) && seedOpen(param) {
			found = append(found, param)
		}
	}
	return found
}

func seedNetworkParam(p *linter.Param) bool {
	switch lowerASCII(p.Name) {
	case "url", "uri", "urls", "uris", "endpoint", "href", "link", "webhook", "webhook_url", "webhookurl",
		"host", "hostname", "domain", "base_url", "baseurl":
		return true
	}
	format := p.Schema.Get("format").Text()
	return format == "uri" || format == "url"
}

func seedReadWord(word string) bool {
	switch word {
	case "get", "list", "read", "search", "fetch", "find", "query", "describe", "show", "view", "check",
		"count", "lookup":
		return true
	}
	return false
}

// seedChanges reports whether a tool's name says that it changes something.
func seedChanges(words []string) bool {
	if len(words) == 0 || seedReadWord(words[0]) {
		return false
	}
	return slices.ContainsFunc(words, func(word string) bool {
		switch word {
		case "run", "drop", "kill", "terminate", "purge", "wipe", "reset", "send", "post", "publish",
			"deploy", "transfer", "pay", "charge":
			return true
		}
		return seedWriteWord(word) || seedShellWord(word)
	})
}
