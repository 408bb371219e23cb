// Package webhook takes GitHub's deliveries in. A delivery becomes at most one
// job: it is capped, its signature verified, its event and action chosen, and
// then the delivery and its job are stored in one transaction, and answered
// with 202. Nothing here calls GitHub, so the answer comes within GitHub's ten
// seconds however long the work takes.
//
// To add an event: write a file with its name and enter it in [events].
package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/mcp-lint/mcp-lint/internal/queue"
	"github.com/mcp-lint/mcp-lint/internal/store"
)

// Path is where the handler answers.
const Path = "/webhook"

// MaxPayload is the largest body that is read. GitHub caps payloads at 25 MB
// and does not deliver larger ones
// (https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap).
const MaxPayload = 25 << 20

// maxDeliveryID bounds what is stored as delivery id; GitHub's are UUIDs.
const maxDeliveryID = 100

// Options configure a [Handler]. Secrets, Store and Queue are required.
type Options struct {
	// Secrets are the webhook secrets that are valid now: one, or two while it
	// is being changed.
	Secrets [][]byte
	Store   *store.Store
	Queue   *queue.Queue
	Log     *slog.Logger
}

// Handler is the webhook endpoint.
type Handler struct {
	o       Options
	metrics *Metrics
}

// New returns the handler. Without a secret anybody could start jobs, so it
// refuses to exist without one.
func New(o Options) (*Handler, error) {
	if len(o.Secrets) == 0 {
		return nil, errors.New("webhook: no secret given: set the same one here and in the App's settings on GitHub")
	}
	for _, s := range o.Secrets {
		if len(bytes.TrimSpace(s)) == 0 {
			return nil, errors.New("webhook: the secret is empty")
		}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Handler{o: o, metrics: newMetrics()}, nil
}

// Metrics are the handler's counters.
func (h *Handler) Metrics() *Metrics { return h.metrics }

// event reads a delivery of one event type and returns what it asks for. It
// reads before the transaction begins, because there is one connection and
// payloads are large.
type event func(d delivery) (effect, error)

// effect stores in tx what a delivery asks for and says what became of it. nil
// means that the delivery asks for nothing.
type effect func(ctx context.Context, h *Handler, tx *store.Tx) (Outcome, error)

// events are the event types that mean something to us.
func events(name string) event {
	switch name {
	case "ping":
		return ping
	case "check_run":
		return checkRun
	case "check_suite":
		return checkSuite
	case "issue_comment":
		return issueComment
	case "pull_request":
		return pullRequest
	}
	return nil
}

// delivery is a verified delivery.
type delivery struct {
	id, event, action string
	payload           []byte
	log               *slog.Logger
}

// errPayload marks a signed delivery whose payload is not what GitHub
// documents for its event.
var errPayload = errors.New("unexpected payload")

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != Path {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "webhooks are delivered with POST", http.StatusMethodNotAllowed)
		return
	}
	payload, refused := h.verified(w, r)
	if refused != nil {
		h.metrics.count(github.WebHookType(r), refused.outcome)
		h.o.Log.Warn("delivery refused", "delivery", clip(github.DeliveryID(r)), "reason", refused.text)
		http.Error(w, refused.text, refused.status)
		return
	}
	d := delivery{id: github.DeliveryID(r), event: github.WebHookType(r), payload: payload}
	if d.id == "" || len(d.id) > maxDeliveryID || d.event == "" || len(d.event) > maxDeliveryID {
		h.metrics.count(d.event, BadRequest)
		http.Error(w, "X-GitHub-Delivery and X-GitHub-Event are required", http.StatusBadRequest)
		return
	}
	var err error
	if d.action, err = action(payload); err != nil {
		h.metrics.count(d.event, BadRequest)
		http.Error(w, "the payload is not a JSON object", http.StatusBadRequest)
		return
	}
	d.log = h.o.Log.With("delivery", d.id, "event", d.event, "action", d.action)
	outcome, err := h.accept(r.Context(), d)
	h.metrics.count(d.event, outcome)
	switch {
	case errors.Is(err, errPayload):
		d.log.Warn("delivery not understood", "error", err)
		http.Error(w, "the payload is not one of event "+d.event, http.StatusBadRequest)
	case err != nil:
		// GitHub lists the delivery as failed; it can be redelivered.
		d.log.Error("delivery not stored", "error", err)
		http.Error(w, "the delivery could not be stored", http.StatusInternalServerError)
	default:
		d.log.Info("delivery", "outcome", outcome)
		w.WriteHeader(http.StatusAccepted)
		io.WriteString(w, string(outcome)+"\n")
	}
}

// accept stores the delivery and whatever its event asks for, all or nothing.
func (h *Handler) accept(ctx context.Context, d delivery) (Outcome, error) {
	var apply effect
	if read := events(d.event); read != nil {
		var err error
		if apply, err = read(d); err != nil {
			return BadRequest, err
		}
	}
	outcome := Ignored
	err := h.o.Store.InTx(ctx, func(tx *store.Tx) error {
		fresh, err := tx.AddDelivery(ctx, store.Delivery{ID: d.id, Event: d.event, Action: d.action, Outcome: string(Ignored)})
		if err != nil {
			return err
		}
		if !fresh {
			outcome = Duplicate
			return nil
		}
		if apply == nil {
			return nil
		}
		if outcome, err = apply(ctx, h, tx); err != nil {
			return err
		}
		return tx.SetOutcome(ctx, d.id, string(outcome))
	})
	if err != nil {
		return Failed, err
	}
	return outcome, nil
}

// refusal is the answer to a request that is not a genuine delivery.
type refusal struct {
	status  int
	outcome Outcome
	text    string
}

// verified returns the payload of a genuine delivery. go-github's
// ValidatePayload is not enough: it reads without limit, takes a missing
// signature for fine when the secret is empty, and falls back to SHA-1.
func (h *Handler) verified(w http.ResponseWriter, r *http.Request) ([]byte, *refusal) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxPayload))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return nil, &refusal{http.StatusRequestEntityTooLarge, TooLarge, fmt.Sprintf("the payload is over %d bytes", MaxPayload)}
	} else if err != nil {
		return nil, &refusal{http.StatusBadRequest, BadRequest, "the body could not be read"}
	}
	signature := r.Header.Get(github.SHA256SignatureHeader)
	if !strings.HasPrefix(signature, "sha256=") {
		return nil, &refusal{http.StatusUnauthorized, Unauthorized, "X-Hub-Signature-256 with a sha256= value is required"}
	}
	contentType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || contentType != "application/json" && contentType != "application/x-www-form-urlencoded" {
		return nil, &refusal{http.StatusUnsupportedMediaType, BadRequest, "Content-Type must be application/json or application/x-www-form-urlencoded"}
	}
	for _, secret := range h.o.Secrets {
		payload, err := github.ValidatePayloadFromBody(contentType, bytes.NewReader(body), signature, secret)
		if err == nil {
			return payload, nil
		}
	}
	return nil, &refusal{http.StatusUnauthorized, Unauthorized, "the signature does not match"}
}

// clip bounds a header of an unverified request for the log.
func clip(s string) string {
	if len(s) > maxDeliveryID {
		return s[:maxDeliveryID] + "…"
	}
	return s
}
