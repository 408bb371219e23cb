package checks

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
)

// SARIFStatus says how an upload ended.
type SARIFStatus string

// The ends of an upload.
const (
	SARIFComplete    SARIFStatus = "complete"    // GitHub has stored the results
	SARIFFailed      SARIFStatus = "failed"      // GitHub refused the document; see Errors
	SARIFUnavailable SARIFStatus = "unavailable" // code scanning is off, or the permission is missing
	SARIFTooLarge    SARIFStatus = "too-large"   // over GitHub's limit
	SARIFPending     SARIFStatus = "pending"     // taken, but not processed while we waited
)

// SARIFOutcome is the end of an upload. It never changes a verdict.
type SARIFOutcome struct {
	Status SARIFStatus `json:"status"`
	ID     string      `json:"id,omitempty"`
	// Reason is one sentence for people; empty when complete.
	Reason string `json:"reason,omitempty"`
	// Errors are GitHub's words (foreign text).
	Errors []string `json:"errors,omitempty"`
}

// sarifPauses are the waits before each look at the processing.
var sarifPauses = [...]time.Duration{
	500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 15 * time.Second,
}

// UploadSARIF sends the document for a commit and its ref (refs/pull/N/head or
// refs/heads/BRANCH; never refs/pull/N/merge, which wants another commit), and
// waits at most half a minute for its processing. The error is only for what a
// later attempt may cure: a rate limit, the network, a cancelled context, Save.
// A pending upload is looked at again by the next call.
func (p *Publisher) UploadSARIF(ctx context.Context, sarif []byte, ref, sha string) (SARIFOutcome, error) {
	out, err := p.uploadSARIF(ctx, sarif, ref, sha)
	if err != nil {
		return SARIFOutcome{}, fmt.Errorf("upload SARIF: %w", err)
	}
	p.o.Log.Info("SARIF uploaded", "sarif", out.ID, "status", string(out.Status))
	if out.Status != SARIFPending {
		p.state.SARIF.Outcome = &out
	}
	return out, p.save()
}

func (p *Publisher) uploadSARIF(ctx context.Context, sarif []byte, ref, sha string) (SARIFOutcome, error) {
	hash := sha256.Sum256([]byte(ref + "\n" + sha + "\n" + string(sarif)))
	st := &p.state.SARIF
	if digest := hex.EncodeToString(hash[:]); st.Digest != digest {
		*st = SARIFState{Digest: digest, Judged: st.Judged}
	}
	if st.Outcome != nil {
		return *st.Outcome, nil
	}
	if p.o.SARIF == nil {
		return SARIFOutcome{Status: SARIFUnavailable, Reason: "The App may not upload to code scanning here."}, nil
	}
	if st.ID == "" {
		if out, err := p.sendSARIF(ctx, sarif, ref, sha); err != nil || out != nil {
			return deref(out), err
		}
	}
	return p.awaitSARIF(ctx, st.ID)
}

func deref(o *SARIFOutcome) SARIFOutcome {
	if o == nil {
		return SARIFOutcome{}
	}
	return *o
}

// sendSARIF uploads and stores the id, or returns the outcome that no waiting
// will change.
func (p *Publisher) sendSARIF(ctx context.Context, sarif []byte, ref, sha string) (*SARIFOutcome, error) {
	text, category, err := packSARIF(sarif)
	if err != nil {
		return &SARIFOutcome{Status: SARIFFailed, Reason: "The SARIF document is not valid JSON.", Errors: []string{err.Error()}}, nil
	}
	if len(text) > base64.StdEncoding.EncodedLen(MaxSARIF) {
		return &SARIFOutcome{Status: SARIFTooLarge, Reason: fmt.Sprintf("The results are over GitHub's limit of %d MB.", MaxSARIF>>20)}, nil
	}
	st := &p.state.SARIF
	for try := 1; ; try++ {
		if st.Asked {
			// The answer to a former upload is lost; its analysis may be there.
			if st.ID, err = p.findAnalysis(ctx, ref, sha, category); err == nil && st.ID != "" {
				return nil, p.save()
			}
		}
		if err == nil {
			st.Asked = true
			if err := p.save(); err != nil {
				return nil, err
			}
			var id *github.SarifID
			id, _, err = p.o.SARIF.CodeScanning.UploadSarif(ctx, p.o.Owner, p.o.Repo, &github.SarifAnalysis{
				CommitSHA: &sha, Ref: &ref, Sarif: &text,
			})
			if err == nil {
				st.ID = id.GetID()
				return nil, p.save()
			}
		}
		if out := refusedSARIF(err); out != nil {
			return out, nil
		}
		if try == lostTries || !lost(ctx, err) {
			return nil, err
		}
		if err := p.o.Sleep(ctx, lostPause); err != nil {
			return nil, err
		}
	}
}

// packSARIF drops indentation, compresses and encodes, and returns the category
// of the document's first run.
func packSARIF(sarif []byte) (text, category string, err error) {
	var doc struct {
		Runs []struct {
			AutomationDetails struct {
				ID string `json:"id"`
			} `json:"automationDetails"`
		} `json:"runs"`
	}
	if err := json.Unmarshal(sarif, &doc); err != nil {
		return "", "", err
	}
	if len(doc.Runs) > 0 {
		id := doc.Runs[0].AutomationDetails.ID
		category = id[:max(strings.LastIndexByte(id, '/'), 0)]
	}
	var small, zipped bytes.Buffer
	if err := json.Compact(&small, sarif); err != nil {
		return "", "", err
	}
	z, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return "", "", err
	}
	if _, err := z.Write(small.Bytes()); err != nil {
		return "", "", err
	}
	if err := z.Close(); err != nil {
		return "", "", err
	}
	return base64.StdEncoding.EncodeToString(zipped.Bytes()), category, nil
}

// refusedSARIF recognises the answers that another attempt will not change.
func refusedSARIF(err error) *SARIFOutcome {
	var missing *githubapp.PermissionMissing
	if errors.As(err, &missing) {
		return &SARIFOutcome{Status: SARIFUnavailable, Reason: "The App has not been granted the permission to write security events."}
	}
	var answer *github.ErrorResponse
	if !errors.As(err, &answer) {
		return nil
	}
	out := SARIFOutcome{Errors: []string{answer.Message}}
	switch answer.Response.StatusCode {
	case http.StatusForbidden, http.StatusNotFound:
		out.Status, out.Reason = SARIFUnavailable, "Code scanning is not available for this repository."
	case http.StatusRequestEntityTooLarge:
		out.Status, out.Reason = SARIFTooLarge, "GitHub found the results too large."
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		out.Status, out.Reason = SARIFFailed, "Code scanning refused the results."
		for _, e := range answer.Errors {
			out.Errors = append(out.Errors, e.Message)
		}
	default:
		return nil
	}
	return &out
}

// findAnalysis returns the upload id of an analysis of this commit in our
// category, or "".
func (p *Publisher) findAnalysis(ctx context.Context, ref, sha, category string) (string, error) {
	list, _, err := p.o.SARIF.CodeScanning.ListAnalysesForRepo(ctx, p.o.Owner, p.o.Repo, &github.AnalysesListOptions{
		Ref: &ref, ListOptions: github.ListOptions{PerPage: perPage}, // the newest come first
	})
	if err != nil {
		if status(err) == http.StatusNotFound { // no analysis at all, as yet
			return "", nil
		}
		return "", fmt.Errorf("list analyses: %w", err)
	}
	for _, a := range list {
		if a.GetCommitSHA() == sha && strings.TrimSuffix(a.GetCategory(), "/") == category {
			return a.GetSarifID(), nil
		}
	}
	return "", nil
}

// awaitSARIF looks at the processing until it is over or our patience is.
func (p *Publisher) awaitSARIF(ctx context.Context, id string) (SARIFOutcome, error) {
	for _, pause := range sarifPauses {
		if err := p.o.Sleep(ctx, pause); err != nil {
			return SARIFOutcome{}, err
		}
		state, said, err := p.sarifState(ctx, id)
		switch {
		case status(err) == http.StatusNotFound: // not visible yet
		case err != nil:
			return SARIFOutcome{}, fmt.Errorf("look at upload %s: %w", id, err)
		case state == "complete":
			return SARIFOutcome{Status: SARIFComplete, ID: id}, nil
		case state == "failed":
			return SARIFOutcome{Status: SARIFFailed, ID: id, Reason: "Code scanning could not process the results.", Errors: said}, nil
		}
	}
	return SARIFOutcome{Status: SARIFPending, ID: id, Reason: "Code scanning is still processing the results."}, nil
}

// sarifState asks by hand: go-github v66 drops the errors from its answer.
func (p *Publisher) sarifState(ctx context.Context, id string) (string, []string, error) {
	req, err := p.o.SARIF.NewRequest(http.MethodGet, fmt.Sprintf("repos/%s/%s/code-scanning/sarifs/%s", p.o.Owner, p.o.Repo, id), nil)
	if err != nil {
		return "", nil, err
	}
	var answer struct {
		ProcessingStatus string   `json:"processing_status"`
		Errors           []string `json:"errors"`
	}
	_, err = p.o.SARIF.Do(ctx, req, &answer)
	return answer.ProcessingStatus, answer.Errors, err
}
