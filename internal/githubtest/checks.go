package githubtest

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
)

// checkRun is one check run. Output is kept as sent.
type checkRun struct {
	id          int64
	repo        *Repository
	suite       *checkSuite
	name, sha   string
	status      string
	conclusion  string // "" = none yet
	externalID  string
	detailsURL  string
	started     time.Time
	completed   time.Time
	title       string
	summary     string
	text        string
	hasOutput   bool
	annotations []Annotation
	actions     []CheckAction
}

// Annotation is one annotation of a check run, as sent.
type Annotation struct {
	Path        string `json:"path"`
	StartLine   int    `json:"start_line"`
	EndLine     int    `json:"end_line"`
	StartColumn *int   `json:"start_column"` // nil when not sent
	EndColumn   *int   `json:"end_column"`
	Level       string `json:"annotation_level"` // notice, warning or failure
	Title       string `json:"title"`
	Message     string `json:"message"`
	RawDetails  string `json:"raw_details"`
}

// CheckAction is a button on a check run.
type CheckAction struct {
	Label       string `json:"label"`
	Description string `json:"description"`
	Identifier  string `json:"identifier"`
}

// checkRequest is the body of checks/create and checks/update; nil means absent.
type checkRequest struct {
	Name        *string       `json:"name"`
	HeadSHA     string        `json:"head_sha"`
	DetailsURL  *string       `json:"details_url"`
	ExternalID  *string       `json:"external_id"`
	Status      *string       `json:"status"`
	Conclusion  *string       `json:"conclusion"`
	StartedAt   *time.Time    `json:"started_at"`
	CompletedAt *time.Time    `json:"completed_at"`
	Output      *checkOutput  `json:"output"`
	Actions     []CheckAction `json:"actions"`
}

type checkOutput struct {
	Title       string       `json:"title"`
	Summary     string       `json:"summary"`
	Text        *string      `json:"text"`
	Annotations []Annotation `json:"annotations"`
}

func checkRoutes() map[string]route {
	read, write := []string{"checks:read"}, []string{"checks:write"}
	return map[string]route{
		"checks/create":           {needs: write, creates: true, handle: createCheck},
		"checks/get":              {needs: read, handle: getCheck},
		"checks/update":           {needs: write, creates: true, handle: updateCheck},
		"checks/list-annotations": {needs: read, handle: listAnnotations},
		"checks/list-for-ref":     {needs: read, handle: listChecksForRef},
	}
}

func createCheck(c *call) reply {
	var ask checkRequest
	if err := c.decode(&ask); err != nil {
		return invalid("%v", err)
	}
	if why := ask.problem(); why != "" {
		return invalid("%s", why)
	}
	if *ask.Name == "" {
		return invalid("name must not be empty.")
	}
	if _, err := c.repo.commit(ask.HeadSHA); err != nil {
		return refuse(http.StatusUnprocessableEntity, "No commit found for SHA: %s", ask.HeadSHA)
	}
	run := &checkRun{
		id: c.s.newID(), repo: c.repo, sha: ask.HeadSHA, status: "queued", started: c.now,
		suite: c.repo.suite(ask.HeadSHA, AppID, c.s.AppSlug(), c.now),
	}
	run.apply(ask, c.now)
	c.repo.addRun(run)
	return reply{status: http.StatusCreated, body: run.object(), header: http.Header{"Location": {run.url()}}}
}

// addRun keeps the newest MaxRunsOfOneName runs of a name in a suite.
func (r *Repository) addRun(run *checkRun) {
	r.runs = append(r.runs, run)
	same := 0
	for _, other := range slices.Backward(r.runs) {
		if other.suite == run.suite && other.name == run.name {
			same++
		}
		if same > MaxRunsOfOneName {
			r.runs = slices.DeleteFunc(r.runs, func(x *checkRun) bool { return x == other })
			return
		}
	}
}

func updateCheck(c *call) reply {
	run := c.repo.findRun(c.id("check_run_id"))
	if run == nil {
		return notFound()
	}
	if run.suite.appID != AppID {
		return refuse(http.StatusForbidden, "Invalid app_id `%d` - check run can only be modified by the GitHub App that created it.", AppID)
	}
	var ask checkRequest
	if err := c.decode(&ask); err != nil {
		return invalid("%v", err)
	}
	if why := ask.problem(); why != "" {
		return invalid("%s", why)
	}
	run.apply(ask, c.now)
	return ok(run.object())
}

// apply writes what was sent. Annotations are appended. A conclusion, once there,
// stays: going back to in_progress does not clear it
// (https://github.com/Mergifyio/mergify/issues/541).
func (run *checkRun) apply(ask checkRequest, now time.Time) {
	set := func(to *string, from *string) {
		if from != nil {
			*to = *from
		}
	}
	set(&run.name, ask.Name)
	set(&run.detailsURL, ask.DetailsURL)
	set(&run.externalID, ask.ExternalID)
	set(&run.status, ask.Status)
	if ask.StartedAt != nil {
		run.started = *ask.StartedAt
	}
	if ask.Conclusion != nil {
		run.conclusion, run.status, run.completed = *ask.Conclusion, "completed", now
	}
	if ask.CompletedAt != nil {
		run.completed = *ask.CompletedAt
	}
	if ask.Output != nil {
		run.hasOutput, run.title, run.summary = true, ask.Output.Title, ask.Output.Summary
		set(&run.text, ask.Output.Text)
		run.annotations = append(run.annotations, ask.Output.Annotations...)
	}
	if ask.Actions != nil {
		run.actions = ask.Actions
	}
	run.suite.updated = now
}

// findRun finds a check run of the repository by id.
func (r *Repository) findRun(id int64) *checkRun {
	for _, run := range r.runs {
		if run.id == id {
			return run
		}
	}
	return nil
}

func (run *checkRun) url() string { return run.repo.api("check-runs/%d", run.id) }

func (run *checkRun) object() obj {
	orNil := func(text string, present bool) any {
		if !present {
			return nil
		}
		return text
	}
	page := run.repo.page("runs", run.id)
	details := cmp.Or(run.detailsURL, page)
	return obj{
		"id": run.id, "name": run.name, "head_sha": run.sha, "node_id": nodeID("CheckRun", run.id), "external_id": run.externalID,
		"url": run.url(), "html_url": page, "details_url": details, "status": run.status, "conclusion": orNil(run.conclusion, run.conclusion != ""),
		"started_at": stampOrNil(run.started), "completed_at": stampOrNil(run.completed),
		"output": obj{
			"title": orNil(run.title, run.hasOutput), "summary": orNil(run.summary, run.hasOutput), "text": orNil(run.text, run.text != ""),
			"annotations_count": len(run.annotations), "annotations_url": run.url() + "/annotations",
		},
		"check_suite": obj{"id": run.suite.id}, "app": run.repo.s.appObject(run.suite.appID, run.suite.appSlug),
		"pull_requests": run.repo.pullsWithHead(run.sha),
	}
}

func getCheck(c *call) reply {
	run := c.repo.findRun(c.id("check_run_id"))
	if run == nil {
		return notFound()
	}
	return ok(run.object())
}

func listAnnotations(c *call) reply {
	run := c.repo.findRun(c.id("check_run_id"))
	if run == nil {
		return notFound()
	}
	return listed(c, run.annotations, func(a Annotation) obj {
		return obj{
			"path": a.Path, "start_line": a.StartLine, "end_line": a.EndLine, "start_column": a.StartColumn, "end_column": a.EndColumn,
			"annotation_level": a.Level, "title": a.Title, "message": a.Message, "raw_details": a.RawDetails,
			"blob_href": c.s.WebURL + "/" + c.repo.FullName() + "/blob/" + run.sha + "/" + a.Path,
		}
	})
}

// listChecksForRef lists newest first. The filter "latest" (the default) keeps
// the newest run of each name and app: that one decides.
func listChecksForRef(c *call) reply {
	sha, err := c.repo.resolve(strings.TrimPrefix(c.params["ref"], "heads/"))
	if err != nil {
		return invalid("No commit found for SHA: %s", c.params["ref"])
	}
	var found []*checkRun
	for _, run := range slices.Backward(c.repo.runs) {
		newer := func(other *checkRun) bool { return other.name == run.name && other.suite == run.suite }
		if run.sha != sha || !c.wants(run) || (c.query("filter") != "all" && slices.ContainsFunc(found, newer)) {
			continue
		}
		found = append(found, run)
	}
	return counted(c, "check_runs", found, (*checkRun).object)
}

func (c *call) wants(run *checkRun) bool {
	app := atLeast(0, c.query("app_id"), 0)
	return (c.query("check_name") == "" || c.query("check_name") == run.name) &&
		(c.query("status") == "" || c.query("status") == run.status) &&
		(app == 0 || int64(app) == run.suite.appID)
}
