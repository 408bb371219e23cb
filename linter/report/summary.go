package report

import (
	"fmt"
	"slices"
	"strconv"
)

// Summarize counts what the report says and decides whether it passes. All
// findings that are not suppressed count, known ones too; lock changes are no
// findings and are not counted. A report passes unless a new finding reaches
// l.FailOn, a lock change reaches l.LockFailOn, a score is under its minimum,
// or a server could not be checked.
func Summarize(r *Report, l Limits) Summary {
	var t tally
	s := Summary{Passed: true}
	for i := range r.Servers {
		srv := &r.Servers[i]
		if srv.Error != nil {
			s.NotChecked++
			s.Passed = false
		}
		for j := range srv.Findings {
			f := &srv.Findings[j]
			if f.Suppressed != nil {
				continue
			}
			t.addFinding(f)
			if f.New && f.Severity.Reaches(l.FailOn) {
				s.Passed = false
			}
		}
		if srv.Lock != nil {
			if _, failing := tallyChanges(srv.Lock.Changes, l.LockFailOn); failing > 0 {
				s.Passed = false
			}
		}
		if len(lowScores(srv, l)) > 0 {
			s.Passed = false
		}
	}
	s.Errors, s.Warnings, s.Infos = t.errors, t.warnings, t.infos
	return s
}

// Fails tells whether something that was checked fails, or a launch was refused.
// That a server could not be checked does not count here: it is never clean, but
// no finding either. What is found about how it is started is one.
func (r *Report) Fails(l Limits) bool {
	checked := Report{Servers: slices.Clone(r.Servers)}
	for i := range checked.Servers {
		checked.Servers[i].Error = nil
	}
	return r.Refused() || !Summarize(&checked, l).Passed
}

// Refused tells whether the launch of a server was refused.
func (r *Report) Refused() bool {
	return slices.ContainsFunc(r.Servers, func(s Server) bool { return s.Error != nil && s.Error.Kind == ErrRefused })
}

// Complete tells whether every server was collected. An incomplete report must
// not be uploaded as SARIF: GitHub closes the alerts that an upload lacks.
func (r *Report) Complete() bool {
	for i := range r.Servers {
		if r.Servers[i].Error != nil {
			return false
		}
	}
	return true
}

// lowScores says in words which scores of a server are under their minimum.
func lowScores(s *Server, l Limits) []string {
	if s.Scores == nil {
		return nil
	}
	var low []string
	if q := s.Scores.Quality.Score; float64(q) < l.MinScore {
		low = append(low, fmt.Sprintf("quality %d is under %s", q, decimal(l.MinScore)))
	}
	if t := s.Scores.Tokens; t.Scored && float64(t.Score) < l.FailUnder {
		low = append(low, fmt.Sprintf("token cost score %d is under %s", t.Score, decimal(l.FailUnder)))
	}
	return low
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
