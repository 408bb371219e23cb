package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"strings"

	pep440 "github.com/aquasecurity/go-pep440-version"
	"golang.org/x/net/html"
)

// indexFile is one file of a project's page.
type indexFile struct {
	Name   string `json:"filename"`
	Yanked yanked `json:"yanked"`
}

// yanked is a boolean or the text of a reason (PEP 691).
type yanked bool

// UnmarshalJSON reads either form.
func (y *yanked) UnmarshalJSON(data []byte) error {
	*y = yanked(!bytes.Equal(data, []byte("false")) && !bytes.Equal(data, []byte("null")))
	return nil
}

// readIndex reads a project's page in the form that the index has.
func readIndex(body []byte, mediaType string) ([]indexFile, error) {
	kind, _, err := mime.ParseMediaType(mediaType)
	if err != nil {
		return nil, errors.New("the package index does not say what form its answer has")
	}
	switch kind {
	case "application/vnd.pypi.simple.v1+json", "application/json":
		var page struct {
			Files []indexFile `json:"files"`
		}
		if err := json.Unmarshal(body, &page); err != nil {
			return nil, fmt.Errorf("the package index's answer is not what an index says: %w", err)
		}
		return page.Files, nil
	case "application/vnd.pypi.simple.v1+html", "text/html":
		return readIndexHTML(body)
	}
	return nil, errors.New("the package index answers neither with JSON nor with HTML")
}

// readIndexHTML collects the links of a page (PEP 503): a link's text is the
// name of a file, data-yanked marks the yanked ones (PEP 592).
func readIndexHTML(body []byte) (files []indexFile, err error) {
	var link *indexFile
	for z := html.NewTokenizer(bytes.NewReader(body)); ; {
		switch z.Next() {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return nil, fmt.Errorf("the package index's answer is not HTML: %w", err)
			}
			return files, nil
		case html.StartTagToken:
			if t := z.Token(); t.Data == "a" {
				link = &indexFile{}
				for _, a := range t.Attr {
					if a.Key == "data-yanked" {
						link.Yanked = true
					}
				}
			}
		case html.TextToken:
			if link != nil {
				link.Name += string(z.Text())
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "a" && link != nil {
				link.Name = strings.TrimSpace(html.UnescapeString(link.Name))
				files = append(files, *link)
				link = nil
			}
		}
	}
}

// versionsOf are the versions of which a file is left that is not yanked.
func versionsOf(name string, files []indexFile) []pep440.Version {
	seen := map[string]bool{}
	var versions []pep440.Version
	for _, f := range files {
		if f.Yanked {
			continue
		}
		v, ok := versionOfFile(name, f.Name)
		if ok && !seen[v.String()] {
			seen[v.String()] = true
			versions = append(versions, v)
		}
	}
	return versions
}

// versionOfFile reads the version from the name of a wheel (PEP 427) or a source
// distribution (PEP 625). Older ones have the project's own spelling, hyphens
// included, so the name is what tells where the version begins.
func versionOfFile(project, file string) (pep440.Version, bool) {
	rest, wheel := strings.CutSuffix(file, ".whl")
	if !wheel {
		var source bool
		for _, ending := range []string{".tar.gz", ".zip", ".tar.bz2", ".tgz"} {
			if rest, source = strings.CutSuffix(file, ending); source {
				break
			}
		}
		if !source {
			return pep440.Version{}, false
		}
	}
	for i, r := range rest {
		if r != '-' || normalizePyPI(rest[:i]) != project {
			continue
		}
		version := rest[i+1:]
		if wheel {
			version, _, _ = strings.Cut(version, "-")
		}
		if v, err := pep440.Parse(version); err == nil {
			return v, true
		}
	}
	return pep440.Version{}, false
}
