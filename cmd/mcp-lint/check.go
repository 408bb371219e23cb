package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/mcp-lint/mcp-lint/internal/audit"
	"github.com/mcp-lint/mcp-lint/internal/version"
)

// maxDocument bounds a saved snapshot, as for the files of a checkout. It is far
// above any real one and keeps a device or an endless pipe from filling the
// memory.
const maxDocument = 128 << 20

func (a *app) checkCommand() *cobra.Command {
	var (
		conf configFlags
		out  outputFlags
		save string
		base baselineFlag
	)
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "Lint saved snapshots; - is standard input",
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return usagef("no file: expected saved snapshots, or - for standard input")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, files []string) error {
			c, err := conf.load()
			if err != nil {
				return err
			}
			if err := base.load(); err != nil {
				return err
			}
			e := &audit.Engine{Version: version.Version(), Env: a.env}
			o, err := e.Saved(c, a.documents(files))
			if err != nil {
				return err
			}
			a.apply(&base, o)
			return a.finish(o, c, out, save)
		},
	}
	conf.add(cmd.Flags())
	out.add(cmd.Flags())
	base.add(cmd.Flags())
	cmd.Flags().StringVar(&save, "save", "", "also write the snapshot, hidden characters escaped, to this `file` (one server only)")
	out.addMain(cmd.Flags())
	return cmd
}

// documents reads saved snapshots; - is standard input.
func (a *app) documents(files []string) []audit.Document {
	documents := make([]audit.Document, 0, len(files))
	for _, file := range files {
		if file != "-" {
			documents = append(documents, a.document(file))
			continue
		}
		data, err := readBounded(a.stdin)
		documents = append(documents, newDocument("standard input", data, err))
	}
	return documents
}

// document reads one saved snapshot.
func (a *app) document(file string) audit.Document {
	data, err := readDocument(file)
	return newDocument(filepath.ToSlash(file), data, err)
}

// newDocument is a saved snapshot. One that cannot be read is a server that was
// not checked, not the end of the run.
func newDocument(name string, data []byte, err error) audit.Document {
	if err != nil {
		err = fmt.Errorf("%s: %w", name, reason(err))
	}
	return audit.Document{Name: name, Data: data, Err: err}
}

func readDocument(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readBounded(f)
}

// readBounded reads everything, but not without end.
func readBounded(r io.Reader) ([]byte, error) {
	var b bytes.Buffer
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			b.Grow(int(min(info.Size(), maxDocument)) + bytes.MinRead)
		}
	}
	if n, err := io.Copy(&b, io.LimitReader(r, maxDocument+1)); err != nil {
		return nil, err
	} else if n > maxDocument {
		return nil, fmt.Errorf("larger than %d MB, which is the most that is read", maxDocument>>20)
	}
	return b.Bytes(), nil
}

// reason is an error of the system without the file name that it carries: our
// messages name the file that the user gave, not a temporary one beside it.
func reason(err error) error {
	var (
		errno syscall.Errno
		path  *fs.PathError
	)
	switch {
	case errors.As(err, &errno):
		return errno
	case errors.As(err, &path):
		return path.Err
	}
	return err
}
