package collect

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// maxRefusal is how much of the body of a refusal is read, in bytes.
const maxRefusal = 1 << 20

// refused judges an answer with a status that says no. nil means that the
// conversation goes on.
func (w *httpWire) refused(ctx context.Context, response *http.Response, data []byte, message object, hadSession bool) error {
	status := response.StatusCode
	if status == http.StatusUnauthorized || status == http.StatusForbidden && response.Header.Get("WWW-Authenticate") != "" {
		return w.needsAuthorization(response)
	}
	if status == http.StatusNotFound && hadSession {
		return failuref(Protocol, errSessionLost, "%s lost the session while it was asked (status 404)", w.display())
	}
	method := message.text("method")
	if method == "" || !message.has("id") {
		// A notification, or our answer to a question: nothing waits for it.
		w.odd(MalformedHTTP, "status", "%s was refused with status %d", cmp.Or(method, "the answer to a question"), status)
		return nil
	}
	raw, _ := io.ReadAll(io.LimitReader(w.body(response), maxRefusal))
	if refusal := decode(raw); refusal.has("error") && refusal["error"].Kind() == '{' {
		// Some refusals name no request, but this one they answer.
		answer := append([]byte(`{"jsonrpc":"2.0","id":`), message["id"]...)
		answer = append(append(append(answer, `,"error":`...), refusal["error"]...), '}')
		go w.deliver(answer, message)
		return nil
	}
	failure := failuref(Protocol, nil, "%s answered %s with status %d%s%s", w.display(), method, status, reason(status), w.said(raw))
	if method == "initialize" && isOldRefusal(status) {
		return w.connectLegacy(ctx, data, failure)
	}
	return failure
}

// isOldRefusal reports whether servers from before Streamable HTTP refuse a
// message in that way: they know no POST there.
func isOldRefusal(status int) bool {
	switch status {
	case http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	}
	return status/100 == 4
}

// needsAuthorization is the failure of a server that wants to know who asks.
func (w *httpWire) needsAuthorization(response *http.Response) *Failure {
	metadata := ""
	if at := metadataOf(strings.Join(response.Header.Values("WWW-Authenticate"), ", ")); at != nil {
		metadata = "; its authorization is described at " + w.shown(at)
	}
	advice := "send a token with --header-env Authorization=VARIABLE, in a configuration with headerEnv"
	if w.header.Get("Authorization") != "" {
		advice = "it does not take the token that was sent"
	}
	return failuref(NeedsAuthorization, nil, "%s needs authorization (status %d)%s; %s", w.display(), response.StatusCode, metadata, advice)
}

// metadataOf finds the address of a server's metadata in a challenge, nil when
// there is none.
//
// Source: RFC 9728, section 5.1
func metadataOf(challenge string) *url.URL {
	parameter := regexp.MustCompile(`(?i)\bresource_metadata\s*=\s*(?:"([^"]*)"|([^\s,"]+))`)
	found := parameter.FindStringSubmatch(challenge)
	if found == nil {
		return nil
	}
	u, err := url.Parse(found[1] + found[2])
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil
	}
	return u
}

// said quotes the body of a refusal, unless it is a page for people.
func (w *httpWire) said(raw []byte) string {
	text := w.quoted(raw)
	if text == "" || strings.HasPrefix(text, "<") {
		return ""
	}
	return `: "` + text + `"`
}

func reason(status int) string {
	if text := http.StatusText(status); text != "" {
		return " (" + text + ")"
	}
	return ""
}
