package collect

import (
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestIsPublic(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"8.8.8.8": true, "1.1.1.1": true, "140.82.112.3": true, "2606:4700:4700::1111": true, "2a00:1450:4001:81b::200e": true,
		"127.0.0.1": false, "0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false, "172.16.0.1": false, "192.168.1.1": false,
		"169.254.169.254": false, "100.64.0.1": false, "100.100.100.200": false, "192.0.0.192": false, "168.63.129.16": false,
		"224.0.0.1": false, "255.255.255.255": false, "240.0.0.1": false, "198.18.0.1": false, "203.0.113.1": false,
		"::": false, "::1": false, "::ffff:127.0.0.1": false, "::ffff:8.8.8.8": false, "::127.0.0.1": false, "fe80::1": false, "fe80::1%eth0": false,
		"fc00::1": false, "fd00:ec2::254": false, "ff02::1": false, "fec0::1": false, "64:ff9b::a00:1": false, "64:ff9b:1::1": false,
		"2002:7f00:1::": false, "2001::1": false, "2001:db8::1": false, "100::1": false, "3fff::1": false,
	} {
		if got := isPublic(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: public %v, want %v", address, got, want)
		}
	}
}

// The address is judged when the connection is made, whatever the name was
// when somebody looked at it.
func TestEgressRefusesOwnMachine(t *testing.T) {
	t.Parallel()
	f := &fakeHTTP{}
	at := serve(t, f)
	port := netip.MustParseAddrPort(at.Host)
	o := remoteOptions()
	o.Egress.Public = true
	for _, host := range []string{at.Host, "localhost:" + at.Port(), "[::ffff:127.0.0.1]:" + at.Port(), "0.0.0.0:" + at.Port(), "169.254.169.254"} {
		_, err := Remote(t.Context(), Address{URL: &url.URL{Scheme: "http", Host: host, Path: "/mcp"}}, o)
		failure := failureOf(t, err)
		if failure.Kind != Sandbox || !strings.Contains(failure.Message, "is not asked: its address is not one of the public internet") {
			t.Errorf("%s: %s: %s", host, failure.Kind, failure.Message)
		}
	}
	if n := len(f.messages()); n > 0 {
		t.Errorf("%d requests came", n)
	}
	o.Egress.Except = []netip.AddrPort{port}
	if _, err := Remote(t.Context(), Address{URL: at}, o); err != nil {
		t.Errorf("the exception: %v", err)
	}
}

// Plain http goes to its server alone; https takes the operator's proxy, but
// none where only public addresses may be asked.
func TestProxies(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 10)
	proxy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Method + " " + r.Host
		w.WriteHeader(http.StatusBadGateway)
	})}
	go func() { _ = s.Serve(proxy) }()
	t.Cleanup(func() { s.Close() })
	at := "http://me:sesame@" + proxy.Addr().String()
	for _, tt := range []struct {
		name, url string
		env       map[string]string
		public    bool
		want      string
	}{
		{"http", "http://192.0.2.1:9/mcp", map[string]string{"HTTP_PROXY": at, "http_proxy": at, "ALL_PROXY": at}, false, ""},
		{"https", "https://tides.example/mcp", map[string]string{"HTTPS_PROXY": at}, false, "CONNECT tides.example:443"},
		{"https, all", "https://tides.example/mcp", map[string]string{"all_proxy": at}, false, "CONNECT tides.example:443"},
		{"https, excepted", "https://tides.example/mcp", map[string]string{"HTTPS_PROXY": at, "NO_PROXY": ".example"}, false, ""},
		{"public only", "https://tides.example/mcp", map[string]string{"HTTPS_PROXY": at, "ALL_PROXY": at}, true, ""},
	} {
		o := remoteOptions().withDefaults()
		o.Egress.Public = tt.public
		o.Env = func(name string) (string, bool) { v, ok := tt.env[name]; return v, ok }
		request, err := http.NewRequest(http.MethodPost, tt.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		connections := o.connections()
		if tt.want == "" {
			// Nobody is asked where there would be no answer.
			if (connections.Proxy == nil) != tt.public {
				t.Errorf("%s: is there a proxy at all: %v", tt.name, connections.Proxy != nil)
			}
			if tt.public {
				continue
			}
			if used, err := connections.Proxy(request); used != nil || err != nil {
				t.Errorf("%s: a proxy: %v", tt.name, err)
			}
			continue
		}
		_, err = Remote(t.Context(), Address{URL: request.URL}, o)
		if failure := failureOf(t, err); strings.Contains(failure.Message, "sesame") || strings.Contains(failure.Message, proxy.Addr().String()) {
			t.Errorf("%s: the proxy is told: %s", tt.name, failure.Message)
		}
		select {
		case got := <-asked:
			if got != tt.want {
				t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
			}
		default:
			t.Errorf("%s: the proxy was not asked", tt.name)
		}
	}
	// Nobody is asked past a proxy that was meant.
	o := remoteOptions()
	o.Env = func(name string) (string, bool) { return "%sesame", name == "HTTPS_PROXY" }
	_, err = Remote(t.Context(), Address{URL: parseURL(t, "https://tides.example/mcp")}, o)
	if f := failureOf(t, err); !strings.Contains(f.Message, "the address of its proxy cannot be read") || strings.Contains(f.Message, "sesame") {
		t.Errorf("a proxy that is none: %s", f.Message)
	}
}

// A flood is cut off, packed or not, and never held whole.
func TestRemoteFloods(t *testing.T) {
	if testing.Short() {
		t.Skip("sends 160 MB")
	}
	t.Parallel()
	events := []byte(strings.Repeat(": nothing\n\n", 6<<10))
	spaces := bytes.Repeat([]byte(" "), 64<<10)
	endless := func(w io.Writer, block []byte) {
		for {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}
	for _, tt := range []struct {
		name string
		list func(http.ResponseWriter)
		want string
	}{
		{"events", func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			endless(w, events)
		}, "sent more than 160 MB"},
		{"one event", func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: ")
			endless(w, spaces)
		}, "a message is too long: over 128 MB"},
		{"packed body", func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			endless(gzip.NewWriter(w), spaces)
		}, "a message is too long: over 128 MB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fakeHTTP{handle: func(w http.ResponseWriter, _ *http.Request, m rpc) bool {
				if m.Method == "tools/list" {
					tt.list(w)
				}
				return m.Method == "tools/list"
			}}
			o := remoteOptions()
			o.RequestTimeout = 5 * time.Minute // the bytes end it, however slow the machine is
			_, err := ask(t, f, Address{}, o)
			if failure := failureOf(t, err); failure.Kind != Protocol || !strings.Contains(failure.Message, tt.want) {
				t.Errorf("%s: %s", failure.Kind, failure.Message)
			}
		})
	}
}
