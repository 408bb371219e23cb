package githubtest

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxSARIFBytes stops a gzip bomb; GitHub's own cap on the unpacked file is not known.
const maxSARIFBytes = 256 << 20

// sarif is one upload.
type sarif struct {
	id       string
	number   int64 // of the analysis
	repo     *Repository
	ref, sha string
	document []byte
	runs     []sarifRun
	errors   []string // why processing will fail
	polls    int      // answers "pending" still to give
	done     bool
	created  time.Time
}

func sarifRoutes() map[string]route {
	return map[string]route{
		"code-scanning/upload-sarif": {needs: []string{"security_events:write"}, creates: true, handle: uploadSARIF},
		"code-scanning/get-sarif":    {needs: []string{"security_events:read"}, handle: getSARIF},
	}
}

// scanningOff is what a private repository without Code Security answers
// (https://github.com/jfrog/frogbot/issues/201).
func scanningOff(r *Repository) *reply {
	if r.codeScanning {
		return nil
	}
	bad := refuse(http.StatusForbidden, "Code Security must be enabled for this repository to use code scanning.")
	return &bad
}

// uploadSARIF accepts an upload: 202 says only that processing will start. What
// can be seen without reading the document is refused at once.
func uploadSARIF(c *call) reply {
	if off := scanningOff(c.repo); off != nil {
		return *off
	}
	inst := c.token.inst
	if wait := overLimit(inst.sarifs, c.now, time.Hour, MaxSARIFUploadsPerHour); wait > 0 {
		return secondaryLimit(http.StatusForbidden, wait)
	}
	inst.sarifs = append(inst.sarifs, c.now)
	var ask struct {
		CommitSHA string `json:"commit_sha"`
		Ref       string `json:"ref"`
		SARIF     string `json:"sarif"`
	}
	if err := c.decode(&ask); err != nil {
		return invalid("%v", err)
	}
	if bad := checkSARIFRef(c.repo, ask.Ref, ask.CommitSHA); bad != nil {
		return *bad
	}
	document, bad := unpackSARIF(ask.SARIF)
	if bad != nil {
		return *bad
	}
	up := &sarif{number: c.s.newID(), repo: c.repo, ref: ask.Ref, sha: ask.CommitSHA, document: document, created: c.now, polls: c.s.opts.SARIFPendingPolls}
	up.id = sarifID()
	up.runs, up.errors = readSARIF(document)
	c.repo.sarifs = append(c.repo.sarifs, up)
	return reply{status: http.StatusAccepted, body: obj{"id": up.id, "url": up.url()}}
}

// unpackSARIF undoes base64 and gzip (openapi, code-scanning/upload-sarif).
func unpackSARIF(text string) ([]byte, *reply) {
	packed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		bad := refuse(http.StatusBadRequest, "sarif is not valid base64: %v", err)
		return nil, &bad
	}
	if len(packed) > MaxSARIFCompressedBytes {
		bad := refuse(http.StatusRequestEntityTooLarge, "The SARIF file is larger than %d bytes after compression.", MaxSARIFCompressedBytes)
		return nil, &bad
	}
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		var document []byte
		document, err = io.ReadAll(io.LimitReader(zip, maxSARIFBytes+1))
		if err == nil && len(document) > maxSARIFBytes {
			err = errors.New("too large when unpacked")
		}
		if err == nil && !json.Valid(document) {
			err = errors.New("not JSON")
		}
		if err == nil {
			return document, nil
		}
	}
	bad := refuse(http.StatusBadRequest, "sarif is not a gzip-compressed SARIF file: %v", err)
	return nil, &bad
}

// checkSARIFRef holds commit and ref together. The messages of the first and
// third case are GitHub's: https://github.com/github/codeql-action/issues/952 and
// https://github.com/lexfrei/cloudflare-tunnel-gateway-controller/pull/224.
func checkSARIFRef(r *Repository, ref, sha string) *reply {
	no := func(status int, format string, args ...any) *reply {
		bad := refuse(status, format, args...)
		return &bad
	}
	known, err := r.commit(sha)
	if err != nil {
		return no(http.StatusNotFound, "commit not found")
	}
	parts := strings.Split(ref, "/")
	if parts[1] != "pull" {
		if _, err := r.resolve(ref); err != nil {
			return no(http.StatusNotFound, "ref not found")
		}
		return nil
	}
	if len(parts) != 4 {
		return no(http.StatusNotFound, "ref not found")
	}
	number, _ := strconv.ParseInt(parts[2], 10, 64)
	p := r.pull(number)
	switch {
	case p == nil:
		return no(http.StatusNotFound, "ref not found")
	case parts[3] == "merge" && len(known.parents) < 2:
		return no(http.StatusBadRequest, "ref is a pull request merge but commit_oid is not a merge commit")
	case parts[3] == "head" && !p.heads[sha]:
		return no(http.StatusBadRequest, "ref is a pull request head but commit_oid is not a head of it")
	case parts[3] != "head" && parts[3] != "merge":
		return no(http.StatusNotFound, "ref not found")
	}
	return nil
}

func sarifID() string {
	b := make([]byte, 16)
	rand.Read(b)
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func (up *sarif) url() string { return up.repo.api("code-scanning/sarifs/%s", up.id) }

// poll answers like GitHub and processes an upload that has been pending long enough.
func (up *sarif) poll() string {
	if !up.done && up.polls > 0 {
		up.polls--
		return "pending"
	}
	return up.finish()
}

func (up *sarif) finish() string {
	first := !up.done
	up.done = true
	if len(up.errors) > 0 {
		return "failed"
	}
	if first {
		for _, run := range up.runs {
			up.repo.applyRun(up, run)
		}
		up.repo.s.notify()
	}
	return "complete"
}

func getSARIF(c *call) reply {
	if off := scanningOff(c.repo); off != nil {
		return *off
	}
	i := slices.IndexFunc(c.repo.sarifs, func(up *sarif) bool { return up.id == c.params["sarif_id"] })
	if i < 0 {
		return notFound()
	}
	up := c.repo.sarifs[i]
	answer := obj{"processing_status": up.poll(), "analyses_url": nil, "errors": nil}
	if up.done {
		answer["analyses_url"] = c.repo.api("code-scanning/analyses?sarif_id=%s", up.id)
	}
	if up.done && len(up.errors) > 0 {
		answer["errors"] = up.errors
	}
	return ok(answer)
}

// worstFirst orders results as GitHub does before it drops those over
// KeptSARIFResults.
func worstFirst(a, b sarifResult) int {
	order := []string{"error", "warning", "note", "none"}
	return cmp.Compare(slices.Index(order, a.level), slices.Index(order, b.level))
}
