package advisory

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// What is read of a user's records is bounded: enough for all that is published
// about the registries, and no more than a machine has.
const (
	maxRecord  = 16 << 20 // bytes of one record
	maxRecords = 2_000_000
	maxBytes   = 8 << 30 // of all records of one source, as they are unpacked
)

// Add reads records in the OSV format from a file, and adds them to the list: a
// single record, a JSON array, records one after the other (JSON lines), a
// folder with such files, or a .zip with them, as the public dumps come
// (https://google.github.io/osv.dev/data/). The error names the file, and the
// record; the list is then not to be used.
func (l *List) Add(path string) error {
	in := source{list: l, name: path}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, cause(err))
	}
	switch {
	case info.IsDir():
		err = in.folder(path)
	case strings.EqualFold(filepath.Ext(path), ".zip"):
		err = in.archive(path)
	default:
		err = in.file(path)
	}
	if err == nil && in.records == 0 {
		err = fmt.Errorf("%s: no record; expected records in the OSV format", path)
	}
	return err
}

// source is one file or folder that is being read.
type source struct {
	list    *List
	name    string
	records int
	bytes   int64
}

func (in *source) file(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, cause(err))
	}
	defer f.Close()
	return in.read(path, f)
}

func (in *source) folder(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", path, cause(err))
		}
		if d.IsDir() || !isRecords(path) {
			return nil
		}
		return in.file(path)
	})
}

func (in *source) archive(path string) error {
	z, err := zip.OpenReader(path)
	if err != nil {
		return fmt.Errorf("%s: %w; expected a .zip with records in the OSV format", path, cause(err))
	}
	defer z.Close()
	for _, entry := range z.File {
		if entry.FileInfo().IsDir() || !isRecords(entry.Name) {
			continue
		}
		if err := in.entry(path+"/"+entry.Name, entry); err != nil {
			return err
		}
	}
	return nil
}

func (in *source) entry(name string, entry *zip.File) error {
	f, err := entry.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer f.Close()
	return in.read(name, f)
}

// isRecords tells the files of a folder that are read.
func isRecords(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".json" || ext == ".jsonl" || ext == ".ndjson"
}

// read reads the records of one file: one, an array of them, or one after the
// other.
func (in *source) read(name string, from io.Reader) error {
	b := bufio.NewReaderSize(from, 64<<10)
	if mark, err := b.Peek(3); err == nil && bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = b.Discard(len(mark))
	}
	counted := &limited{from: b, source: in}
	dec := json.NewDecoder(counted)
	array, err := startsArray(b)
	if err == nil && array {
		_, err = dec.Token()
	}
	for n := 1; err == nil; n++ {
		if array && !dec.More() {
			_, err = dec.Token()
			break
		}
		var r record
		counted.record = 0
		if err = dec.Decode(&r); err != nil {
			if !array && errors.Is(err, io.EOF) {
				err = nil
				break
			}
			return fmt.Errorf("%s: record %d: %w", name, n, damage(err))
		}
		if err := in.add(&r); err != nil {
			return fmt.Errorf("%s: record %d: %w", name, n, err)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, damage(err))
	}
	return nil
}

// startsArray looks at the first byte that is no blank.
func startsArray(b *bufio.Reader) (bool, error) {
	for {
		c, err := b.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil:
			return false, err
		case strings.IndexByte(" \t\r\n", c) >= 0:
			continue
		}
		return c == '[', b.UnreadByte()
	}
}

func (in *source) add(r *record) error {
	if in.records++; in.records > maxRecords {
		return fmt.Errorf("more than %d records", maxRecords)
	}
	advisories, err := r.advisories()
	if err != nil {
		return err
	}
	in.list.add(advisories)
	return nil
}

// limited counts what is read, and ends it when it is too much.
type limited struct {
	from   io.Reader
	source *source
	record int64 // since the last record began
}

func (r *limited) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.record += int64(n)
	r.source.bytes += int64(n)
	switch {
	case r.record > maxRecord:
		return 0, fmt.Errorf("a record of more than %d MB", maxRecord>>20)
	case r.source.bytes > maxBytes:
		return 0, fmt.Errorf("more than %d GB", int64(maxBytes)>>30)
	}
	return n, err
}

// damage says in words what is wrong with JSON.
func damage(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errors.New("it ends in the middle; expected records in the OSV format")
	}
	var (
		syntax *json.SyntaxError
		kind   *json.UnmarshalTypeError
	)
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("no JSON (%w); expected records in the OSV format", syntax)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%s: found a JSON %s; expected a record in the OSV format", kind.Field, kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("found a JSON %s; expected a record in the OSV format", kind.Value)
	}
	return err
}

// cause is an error without the path that those of os carry.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
