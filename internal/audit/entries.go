package audit

import (
	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch"
	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/report"
)

// Entries judges client configuration files by themselves: what their entries
// start and how they are written. Nothing is started or asked. Every entry is a
// server of the report; a file that cannot be read is one that was not checked,
// and bad counts those.
func (e *Engine) Entries(c *config.Config, files []Document) (o *Outcome, bad int, err error) {
	l, err := newLinter(c)
	if err != nil {
		return nil, 0, err
	}
	if _, err := e.advisories(); err != nil {
		return nil, 0, err
	}
	read := make([]fileEntries, len(files))
	count := make(map[string]int)
	for i, f := range files {
		read[i] = readEntries(f)
		for _, s := range read[i].servers {
			count[s.Key]++
		}
	}
	var results []checked
	for i, f := range read {
		if f.err != nil {
			bad++
			results = append(results, fileError{files[i].Name, f.err}.asServer())
		}
		for _, s := range f.servers {
			if count[s.Key] > 1 {
				s.Key = s.Location.File + "#" + s.Key
			}
			results = append(results, e.entry(s, l))
		}
	}
	return e.outcome(results, c, l), bad, nil
}

// entry judges one entry.
func (e *Engine) entry(s launch.Server, l *linter.Linter) checked {
	seen := e.judgeLaunch(s)
	if s.Invalid != nil {
		seen = launch.Observe(s)
		s.Command, s.URL = "", "" // whatever could be read of it, it is no launch
	}
	c := checked{Server: s, report: emptyServer(s)}
	c.report.Entry = &report.Entry{Client: s.Client, Scope: s.Scope, Disabled: s.Disabled, Remote: s.URL != "", Address: s.Address()}
	c.observe(l, seen)
	return c
}

// fileEntries are the entries of a file, or why there are none.
type fileEntries struct {
	servers []launch.Server
	err     error
}

func readEntries(f Document) fileEntries {
	if f.Err != nil {
		return fileEntries{err: f.Err}
	}
	servers, err := launch.ReadClientFile(f.Name, f.Data)
	return fileEntries{servers, err}
}
