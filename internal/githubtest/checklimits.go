package githubtest

import (
	"fmt"
	"net/url"
	"unicode/utf8"
)

// problem says what GitHub would refuse in a check run although its description
// allows it; "" means nothing.
func (ask checkRequest) problem() string {
	if ask.Status != nil && *ask.Status == "completed" && ask.Conclusion == nil {
		return `A "completed" status needs a conclusion.` // openapi, checks/create
	}
	if ask.CompletedAt != nil && ask.Conclusion == nil {
		return "completed_at needs a conclusion."
	}
	if ask.Conclusion != nil && *ask.Conclusion == "stale" {
		return "Only GitHub can change a check run conclusion to stale." // openapi, checks/create
	}
	if ask.DetailsURL != nil {
		if u, err := url.Parse(*ask.DetailsURL); err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return "details_url must use the http or https scheme."
		}
	}
	if why := actionsProblem(ask.Actions); why != "" {
		return why
	}
	if ask.Output == nil {
		return ""
	}
	texts := map[string]string{"title": ask.Output.Title, "summary": ask.Output.Summary}
	if ask.Output.Text != nil {
		texts["text"] = *ask.Output.Text
	}
	for name, text := range texts {
		if len(text) > MaxOutputBytes {
			return fmt.Sprintf("output/%s exceeds a maximum bytesize of %d.", name, MaxOutputBytes)
		}
	}
	if n := len(ask.Output.Annotations); n > MaxAnnotationsPerRequest {
		return fmt.Sprintf("No more than %d items are allowed; %d were supplied.", MaxAnnotationsPerRequest, n)
	}
	for i, a := range ask.Output.Annotations {
		if why := a.problem(); why != "" {
			return fmt.Sprintf("output/annotations/%d: %s", i, why)
		}
	}
	return ""
}

func actionsProblem(actions []CheckAction) string {
	if len(actions) > MaxCheckActions {
		return fmt.Sprintf("No more than %d actions are allowed.", MaxCheckActions)
	}
	for _, a := range actions {
		for _, part := range []struct {
			name, text string
			most       int
		}{{"label", a.Label, MaxCheckActionLabel}, {"description", a.Description, MaxCheckActionDescription}, {"identifier", a.Identifier, MaxCheckActionIdentifier}} {
			if utf8.RuneCountInString(part.text) > part.most {
				return fmt.Sprintf("actions/%s: only %d characters are allowed.", part.name, part.most)
			}
		}
	}
	return ""
}

func (a Annotation) problem() string {
	switch {
	case a.Path == "":
		return "path must not be empty."
	case a.StartLine < 1 || a.EndLine < a.StartLine:
		return fmt.Sprintf("lines %d to %d are not a range.", a.StartLine, a.EndLine)
	case (a.StartColumn != nil || a.EndColumn != nil) && a.StartLine != a.EndLine:
		return "start_column and end_column are only allowed when start_line and end_line are equal." // openapi, checks/create
	case a.StartColumn != nil && (*a.StartColumn < 1 || a.EndColumn != nil && *a.EndColumn < *a.StartColumn):
		return "the columns are not a range."
	case utf8.RuneCountInString(a.Title) > MaxAnnotationTitle:
		return fmt.Sprintf("title: only %d characters are allowed.", MaxAnnotationTitle)
	case a.Message == "":
		return "message must not be empty."
	case len(a.Message) > MaxAnnotationMessageBytes:
		return "message exceeds a maximum bytesize of 64 KB."
	case len(a.RawDetails) > MaxAnnotationMessageBytes:
		return "raw_details exceeds a maximum bytesize of 64 KB."
	}
	return ""
}
