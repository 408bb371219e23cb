package githubtest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Delivery is one attempt to deliver a webhook. A redelivery is a new Delivery
// with the GUID of the first (docs, best-practices-for-using-webhooks.md).
type Delivery struct {
	ID            int64
	GUID          string // X-GitHub-Delivery
	Event, Action string
	StatusCode    int    // 0: no answer
	Status        string // "OK", or what went wrong
	Duration      time.Duration
	Redelivery    bool
	Payload       json.RawMessage
	Response      string // body of the answer, up to 64 KB
}

// TimedOut tells that no answer came within DeliveryTimeout.
func (d Delivery) TimedOut() bool { return d.Status == statusTimedOut }

const statusTimedOut = "timed out"

// delivery adds what only the API shows.
type delivery struct {
	Delivery
	at             time.Time
	url            string
	installationID int64
	repositoryID   int64
}

// prepare makes a delivery for an event of a repository (nil for none). It
// returns nil when GitHub would send nothing: the App is not installed there or
// does not subscribe. Callers hold mu; deliver comes after it is released.
func (s *Server) prepare(event, action string, r *Repository, payload obj) *delivery {
	if r != nil && (!r.installed || !slices.Contains(s.opts.Events, event)) {
		return nil
	}
	if action != "" {
		payload["action"] = action
	}
	d := &delivery{Delivery: Delivery{Event: event, Action: action, GUID: guid()}}
	if r != nil {
		d.installationID, d.repositoryID = r.inst.id, r.ID
		payload["repository"] = s.repositoryObject(r)
		payload["installation"] = obj{"id": r.inst.id, "node_id": nodeID("Installation", r.inst.id)}
		if payload["sender"] == nil {
			payload["sender"] = s.userObject(s.user(r.Owner))
		}
	}
	d.Payload, _ = json.Marshal(payload) // maps of plain values
	return d
}

func guid() string {
	b := make([]byte, 16)
	rand.Read(b)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Sign returns the value of X-Hub-Signature-256 for a payload (docs,
// validating-webhook-deliveries.md).
func Sign(secret string, payload []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(payload)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// deliver sends and records the outcome. It does not fail: GitHub tells nobody
// when a delivery fails. Callers do not hold mu; nil is no delivery.
func (s *Server) deliver(d *delivery) {
	if d == nil {
		return
	}
	s.mu.Lock()
	d.ID, d.at, d.url = s.newID(), s.now(), s.webhookURL
	s.deliveries = append(s.deliveries, d)
	s.mu.Unlock()
	if d.url == "" {
		s.outcome(d, 0, "no webhook URL", "", 0)
		return
	}
	begin := time.Now()
	code, status, response := s.post(d)
	s.outcome(d, code, status, response, time.Since(begin))
}

func (s *Server) outcome(d *delivery, code int, status, response string, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d.StatusCode, d.Status, d.Response, d.Duration = code, status, response, took
	s.log.Debug("githubtest: delivery", "delivery", d.GUID, "event", d.Event, "status", status)
	s.notify()
}

func (s *Server) post(d *delivery) (code int, status, response string) {
	ctx, cancel := context.WithTimeout(s.life, s.opts.DeliveryTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.url, bytes.NewReader(d.Payload))
	if err != nil {
		return 0, err.Error(), ""
	}
	for name, value := range s.deliveryHeaders(d) {
		req.Header.Set(name, value)
	}
	resp, err := s.hooks.Do(req)
	if err != nil {
		if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
			return 0, statusTimedOut, ""
		}
		return 0, "failed to connect to host", ""
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if resp.StatusCode/100 != 2 {
		return resp.StatusCode, "Invalid HTTP Response: " + strconv.Itoa(resp.StatusCode), string(body)
	}
	return resp.StatusCode, "OK", string(body)
}

func (s *Server) deliveryHeaders(d *delivery) map[string]string {
	return map[string]string{
		"Accept": "*/*", "Content-Type": "application/json", "User-Agent": "GitHub-Hookshot/githubtest",
		"X-GitHub-Event": d.Event, "X-GitHub-Delivery": d.GUID, "X-GitHub-Hook-ID": strconv.Itoa(hookID),
		"X-GitHub-Hook-Installation-Target-ID": strconv.Itoa(AppID), "X-GitHub-Hook-Installation-Target-Type": "integration",
		"X-Hub-Signature-256": Sign(s.opts.WebhookSecret, d.Payload),
	}
}

// hookID is the id of the App's one webhook.
const hookID = 77

// Ping sends what GitHub sends when a webhook is set up.
func (s *Server) Ping() {
	s.mu.Lock()
	hook := s.fill(templates().hook, "", "")
	for _, repositoryHook := range []string{"url", "test_url", "ping_url", "last_response"} {
		delete(hook, repositoryHook)
	}
	hook["type"], hook["id"], hook["app_id"], hook["events"] = "App", hookID, AppID, s.opts.Events
	hook["config"] = obj{"content_type": "json", "insecure_ssl": "0", "secret": "********", "url": s.webhookURL}
	hook["deliveries_url"] = s.APIURL + "app/hook/deliveries"
	d := s.prepare("ping", "", nil, obj{"zen": "Anything added dilutes everything else.", "hook_id": hookID, "hook": hook})
	s.mu.Unlock()
	s.deliver(d)
}

// Deliveries lists every attempt, oldest first.
func (s *Server) Deliveries() []Delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Delivery, len(s.deliveries))
	for i, d := range s.deliveries {
		out[i] = d.Delivery
	}
	return out
}

// Redeliver sends a delivery again: same GUID, same bytes.
func (s *Server) Redeliver(id int64) error {
	s.mu.Lock()
	d := s.redelivery(id)
	s.mu.Unlock()
	if d == nil {
		return fmt.Errorf("githubtest: no delivery %d", id)
	}
	s.deliver(d)
	return nil
}

func (s *Server) redelivery(id int64) *delivery {
	old := s.findDelivery(id)
	if old == nil {
		return nil
	}
	again := *old
	again.Redelivery = true
	return &again
}

func (s *Server) findDelivery(id int64) *delivery {
	for _, d := range s.deliveries {
		if d.ID == id {
			return d
		}
	}
	return nil
}
