package githubtest

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Options of a Server. The zero value works: nothing is delivered until
// SetWebhookURL, time is real, and limits are GitHub's.
type Options struct {
	// Addr of the main listener; "" means a free port of 127.0.0.1. Only loopback
	// addresses are accepted: the pages show private repositories to anyone.
	Addr string
	// WebhookURL receives signed deliveries; "" keeps them undelivered.
	WebhookURL string
	// WebhookSecret signs deliveries; "" means a random one.
	WebhookSecret string
	// AppSlug names the App and its bot user SLUG[bot]; "" means "mcp-lint".
	AppSlug string
	// PrivateKey of the App; nil means a new one.
	PrivateKey *rsa.PrivateKey
	// Events the App subscribes to; nil means DefaultEvents.
	Events []string
	// Now is the clock for tokens, limits and time stamps; nil means time.Now.
	Now func() time.Time
	// ContentWritesPerMinute is the secondary limit; 0 means GitHub's 80, negative
	// switches the secondary limits off.
	ContentWritesPerMinute int
	// PrimaryLimit is the number of requests an hour; 0 means GitHub's 5000.
	PrimaryLimit int
	// SARIFPendingPolls is how often an upload answers "pending" before it is
	// processed; 0 means once, negative means never.
	SARIFPendingPolls int
	// DeliveryTimeout is the deadline of a webhook; 0 means GitHub's 10 s.
	DeliveryTimeout time.Duration
	// Latency is added to every API request.
	Latency time.Duration
	// Logger receives one line a request; nil means no log.
	Logger *slog.Logger
}

// DefaultEvents are what the App of a Server subscribes to.
func DefaultEvents() []string {
	return []string{"check_run", "check_suite", "issue_comment", "merge_group", "pull_request", "push", "repository"}
}

// Server is a running stand-in. Its URL fields are set by Start and constant.
type Server struct {
	// WebURL has no trailing slash, the API addresses have one. See the package
	// comment.
	WebURL, APIURL, UploadURL, RootAPIURL string

	opts   Options
	log    *slog.Logger
	key    *rsa.PrivateKey
	secret []byte // signs the stateless part of installation tokens
	dir    string
	git    string
	desc   *description
	routes map[string]route
	hooks  *http.Client
	https  []*http.Server
	later  sync.WaitGroup  // deliveries that the API started
	life   context.Context // ends with Close, and deliveries with it
	stop   context.CancelFunc

	mu            sync.Mutex
	changed       chan struct{} // closed and replaced after every write
	lastID        int64
	webhookURL    string
	users         map[string]*user
	installations map[string]*installation // by owner
	repos         map[string]*Repository   // by owner/name, lower case
	tokens        map[string]*token
	deliveries    []*delivery
	faults        []*fault
	requests      []Request
	violations    []string
}

// Start runs a stand-in on loopback. It needs the git program. Close it when done.
func Start(opts Options) (*Server, error) {
	desc, err := loadDescription()
	if err != nil {
		return nil, err
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return nil, fmt.Errorf("githubtest: the git program is needed: %w", err)
	}
	s := &Server{
		opts: opts, desc: desc, git: git, routes: allRoutes(), log: opts.Logger, key: opts.PrivateKey,
		secret: make([]byte, 32), changed: make(chan struct{}), webhookURL: opts.WebhookURL,
		users: map[string]*user{}, installations: map[string]*installation{}, repos: map[string]*Repository{}, tokens: map[string]*token{},
		hooks: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, lastID: firstID,
	}
	s.life, s.stop = context.WithCancel(context.Background())
	if err := s.defaults(); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp("", "githubtest-"); err != nil {
		return nil, fmt.Errorf("githubtest: %w", err)
	}
	if err := s.listen(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// firstID keeps ids apart from pull request numbers, so that mixing them up shows.
const firstID = 1_000_000

// AppID is the id of the one App that every Server has.
const AppID = 4242

func (s *Server) defaults() error {
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.opts.Now == nil {
		s.opts.Now = time.Now
	}
	if s.opts.AppSlug == "" {
		s.opts.AppSlug = "mcp-lint"
	}
	if s.opts.Events == nil {
		s.opts.Events = DefaultEvents()
	}
	if s.opts.ContentWritesPerMinute == 0 {
		s.opts.ContentWritesPerMinute = ContentWritesPerMinute
	}
	if s.opts.PrimaryLimit == 0 {
		s.opts.PrimaryLimit = PrimaryLimitPerHour
	}
	if s.opts.DeliveryTimeout == 0 {
		s.opts.DeliveryTimeout = DeliveryTimeout
	}
	if s.opts.SARIFPendingPolls == 0 {
		s.opts.SARIFPendingPolls = 1
	}
	rand.Read(s.secret)
	if s.opts.WebhookSecret == "" {
		random := make([]byte, 20)
		rand.Read(random)
		s.opts.WebhookSecret = hex.EncodeToString(random)
	}
	if s.key == nil {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			return fmt.Errorf("githubtest: key of the App: %w", err)
		}
		s.key = key
	}
	return nil
}

func (s *Server) listen() error {
	addr := s.opts.Addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	main, err := listenLoopback(addr)
	if err != nil {
		return err
	}
	root, err := listenLoopback("127.0.0.1:0")
	if err != nil {
		main.Close()
		return err
	}
	s.WebURL = "http://" + main.Addr().String()
	s.APIURL = s.WebURL + "/api/v3/"
	s.UploadURL = s.WebURL + "/api/uploads/"
	s.RootAPIURL = "http://" + root.Addr().String() + "/"

	mux := http.NewServeMux()
	mux.Handle("/api/v3/", http.StripPrefix("/api/v3", http.HandlerFunc(s.serveAPI)))
	mux.Handle("/api/uploads/", http.HandlerFunc(s.serveAPI)) // nothing there: recorded as a violation
	mux.Handle("/", s.webHandler())
	for _, l := range []struct {
		net.Listener
		http.Handler
	}{{main, mux}, {root, http.HandlerFunc(s.serveAPI)}} {
		server := &http.Server{Handler: l.Handler, ReadHeaderTimeout: 10 * time.Second}
		s.https = append(s.https, server)
		go func() {
			if err := server.Serve(l.Listener); !errors.Is(err, http.ErrServerClosed) {
				s.log.Error("githubtest: server stopped", "error", err)
			}
		}()
	}
	return nil
}

func listenLoopback(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("githubtest: %w", err)
	}
	if tcp, ok := l.Addr().(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		l.Close()
		return nil, fmt.Errorf("githubtest: %s is not a loopback address; expected 127.0.0.1:PORT", addr)
	}
	return l, nil
}

// Close stops the server, waits up to two seconds for running requests, and
// removes its repositories.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	for _, server := range s.https {
		if server.Shutdown(ctx) != nil {
			server.Close()
		}
	}
	s.stop()
	s.later.Wait()
	s.hooks.CloseIdleConnections()
	if err := os.RemoveAll(s.dir); err != nil {
		return fmt.Errorf("githubtest: %w", err)
	}
	return nil
}

// PrivateKeyPEM is the App's private key as GitHub hands it out: PKCS#1 PEM.
func (s *Server) PrivateKeyPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(s.key)})
}

// WebhookSecret signs the deliveries.
func (s *Server) WebhookSecret() string { return s.opts.WebhookSecret }

// AppSlug is the App's name in addresses.
func (s *Server) AppSlug() string { return s.opts.AppSlug }

// BotLogin is the user that the App writes as.
func (s *Server) BotLogin() string { return s.opts.AppSlug + "[bot]" }

// SetWebhookURL changes where later deliveries go.
func (s *Server) SetWebhookURL(url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.webhookURL = url
}

func (s *Server) now() time.Time { return s.opts.Now().UTC() }

// newID returns an id that nothing else on this server has. Callers hold mu.
func (s *Server) newID() int64 {
	s.lastID++
	return s.lastID
}

// notify wakes everyone who waits for a change. Callers hold mu.
func (s *Server) notify() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// webHandler serves what GitHub serves on its web host: git and pages.
func (s *Server) webHandler() http.Handler {
	pages := s.pages()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, ".git/") {
			s.serveGit(w, r)
			return
		}
		pages.ServeHTTP(w, r)
	})
}

func (s *Server) gitDir(owner, name string) string {
	return filepath.Join(s.dir, "git", owner, name+".git")
}
