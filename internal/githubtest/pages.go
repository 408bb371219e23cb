package githubtest

import (
	"bytes"
	_ "embed"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// pagesHTML holds all pages. Markdown is shown as GitHub shows it, everything
// else as it was sent, escaped; the bot has made hidden characters visible
// before.
//
//go:embed pages.html
var pagesHTML string

var pageTemplates = template.Must(template.New("pages").Funcs(template.FuncMap{"short": shortSHA, "markdown": markdown}).Parse(pagesHTML))

// pagePolicy forbids everything but the style sheet in the page.
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

func shortSHA(sha string) string { return sha[:min(7, len(sha))] }

// pullView is a pull request as the pages show it.
type pullView struct {
	Repo, Title, Body, Author, State, URL string
	Number                                int
	Base, Head, HeadSHA                   string
	Draft                                 bool
	Checks                                []CheckRun
	Alerts                                []Alert
	Comments                              []Comment
}

type repoView struct {
	Name  string
	Pulls []pullView
}

func (s *Server) pages() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.indexPage)
	mux.HandleFunc("GET /{owner}/{repo}", s.repoPage)
	mux.HandleFunc("GET /{owner}/{repo}/pull/{number}", s.pullPage)
	mux.HandleFunc("GET /{owner}/{repo}/runs/{id}", s.runPage)
	mux.HandleFunc("GET /{owner}/{repo}/security/code-scanning/{number}", s.alertPage)
	return mux
}

// render writes a page, or 404 when there is nothing to show.
func render(w http.ResponseWriter, r *http.Request, name string, data any, found bool) {
	if !found {
		http.NotFound(w, r)
		return
	}
	var out bytes.Buffer
	if err := pageTemplates.ExecuteTemplate(&out, name, data); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", pagePolicy)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	w.Write(out.Bytes())
}

func (s *Server) indexPage(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	var repos []repoView
	for _, key := range slices.Sorted(maps.Keys(s.repos)) {
		repos = append(repos, s.repos[key].view())
	}
	s.mu.Unlock()
	render(w, r, "index", repos, true)
}

func (s *Server) repoPage(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	repo := s.repo(r.PathValue("owner"), r.PathValue("repo"))
	var view repoView
	if repo != nil {
		view = repo.view()
	}
	s.mu.Unlock()
	render(w, r, "repo", view, repo != nil)
}

func (s *Server) pullPage(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.ParseInt(r.PathValue("number"), 10, 64)
	s.mu.Lock()
	var view pullView
	var p *PullRequest
	if repo := s.repo(r.PathValue("owner"), r.PathValue("repo")); repo != nil {
		p = repo.pull(number)
	}
	if p != nil {
		view = p.view()
	}
	s.mu.Unlock()
	if p != nil {
		view.Comments = s.Comments(p.repo, p.Number)
	}
	render(w, r, "pull", view, p != nil)
}

func (s *Server) runPage(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
	s.mu.Lock()
	var run *checkRun
	var view CheckRun
	if repo := s.repo(r.PathValue("owner"), r.PathValue("repo")); repo != nil {
		run = repo.findRun(id)
	}
	if run != nil {
		view = run.snapshot()
	}
	s.mu.Unlock()
	render(w, r, "run", struct {
		Repo string
		CheckRun
	}{strings.Trim(r.PathValue("owner")+"/"+r.PathValue("repo"), "/"), view}, run != nil)
}

func (s *Server) alertPage(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.PathValue("number"))
	s.mu.Lock()
	repo := s.repo(r.PathValue("owner"), r.PathValue("repo"))
	var view []Alert
	if repo != nil && number > 0 && number <= len(repo.alerts) {
		a := repo.alerts[number-1]
		view = append(view, a.snapshot(a.last, a.state()))
	}
	s.mu.Unlock()
	render(w, r, "alert", view, len(view) > 0)
}

func (r *Repository) view() repoView {
	v := repoView{Name: r.FullName()}
	for _, p := range r.pulls {
		v.Pulls = append(v.Pulls, p.view())
	}
	return v
}

// view shows the newest run of each name, as GitHub's pages do. Comments are
// added by the page that shows them.
func (p *PullRequest) view() pullView {
	v := pullView{
		Repo: p.repo.FullName(), Number: p.Number, Title: p.title, Body: p.body, Author: p.author, State: p.state, URL: p.URL(),
		Base: p.baseRef, Head: p.headRef, HeadSHA: p.headSHA, Draft: p.draft,
		Alerts: p.repo.alertsOn("refs/pull/" + strconv.Itoa(p.Number) + "/head"),
	}
	if p.head != p.repo {
		v.Head = p.head.Owner + ":" + p.headRef
	}
	for _, run := range slices.Backward(p.repo.runs) {
		older := func(c CheckRun) bool { return c.Name == run.name && c.AppID == run.suite.appID }
		if run.sha == p.headSHA && !slices.ContainsFunc(v.Checks, older) {
			v.Checks = append(v.Checks, run.snapshot())
		}
	}
	slices.SortFunc(v.Checks, func(a, b CheckRun) int { return strings.Compare(a.Name, b.Name) })
	return v
}
