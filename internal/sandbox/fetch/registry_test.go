package fetch_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// registry is an npm registry and a Python index on loopback.
type registry struct {
	url      string
	requests atomic.Int64
}

// files are the contents of a package by name.
type files map[string]string

func newRegistry(t *testing.T, npm map[string]map[string]files, wheels map[string]files) *registry {
	r := &registry{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.requests.Add(1)
		path := strings.Trim(strings.ReplaceAll(q.URL.Path, "%2f", "/"), "/")
		if name, ok := strings.CutPrefix(path, "simple/"); ok {
			found := false
			for file := range wheels {
				if strings.HasPrefix(file, strings.ReplaceAll(name, "-", "_")+"-") {
					found = true
					fmt.Fprintf(w, "<a href=\"/wheels/%s\">%s</a>\n", file, file)
				}
			}
			if !found {
				http.NotFound(w, q)
			}
			return
		}
		if file, ok := strings.CutPrefix(path, "wheels/"); ok {
			w.Write(zipped(wheels[file]))
			return
		}
		if rest, ok := strings.CutPrefix(path, "tarballs/"); ok {
			name, version, _ := strings.Cut(rest, "/v/")
			w.Write(tarball(npm[name][version]))
			return
		}
		versions, ok := npm[path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			w.Write([]byte(`{"error":"not found"}`))
			return
		}
		packument := map[string]any{"name": path, "dist-tags": map[string]string{"latest": slices.Max(slices.Collect(maps.Keys(versions)))}}
		list := map[string]any{}
		for version, content := range versions {
			var manifest map[string]any
			json.Unmarshal([]byte(content["package.json"]), &manifest)
			sum := sha1.Sum(tarball(content))
			manifest["dist"] = map[string]string{"tarball": r.url + "/tarballs/" + path + "/v/" + version, "shasum": hex.EncodeToString(sum[:])}
			if scripts, _ := manifest["scripts"].(map[string]any); scripts["install"] != nil || scripts["postinstall"] != nil {
				manifest["hasInstallScript"] = true
			}
			list[version] = manifest
		}
		packument["versions"] = list
		json.NewEncoder(w).Encode(packument)
	}))
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

func tarball(content files) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(content)) {
		w.WriteHeader(&tar.Header{Name: "package/" + name, Mode: 0o644, Size: int64(len(content[name]))})
		w.Write([]byte(content[name]))
	}
	w.Close()
	z.Close()
	return b.Bytes()
}

func zipped(content files) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(content)) {
		w, _ := z.Create(name)
		w.Write([]byte(content[name]))
	}
	z.Close()
	return b.Bytes()
}

// wheel is a package with one module and one program.
func wheel(name, version, program, code string, more files) files {
	module := strings.ReplaceAll(name, "-", "_")
	info := module + "-" + version + ".dist-info/"
	content := files{
		module + ".py":            code,
		info + "METADATA":         "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n",
		info + "WHEEL":            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
		info + "entry_points.txt": "[console_scripts]\n" + program + " = " + module + ":main\n",
	}
	maps.Copy(content, more)
	record := ""
	for _, file := range slices.Sorted(maps.Keys(content)) {
		record += file + ",,\n"
	}
	content[info+"RECORD"] = record + info + "RECORD,,\n"
	return content
}
