package install

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// script is one walk over a parsed shell text.
type script struct {
	*reader
	depth int
	do    func(words []word, depth int)
	// clear is false once something was not understood.
	clear bool
}

func (s *script) unclear(what string) {
	s.clear = false
	s.reader.unclear(what)
}

func (s *script) statements(stmts []*syntax.Stmt) {
	for _, stmt := range stmts {
		s.statement(stmt)
	}
}

func (s *script) statement(stmt *syntax.Stmt) {
	if stmt == nil {
		return
	}
	for _, redirect := range stmt.Redirs {
		s.substitutions(redirect.Word)
		s.substitutions(redirect.Hdoc)
		s.input(stmt, redirect)
		s.output(stmt, redirect)
	}
	switch c := stmt.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		s.call(c)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			s.pipe(c)
		}
		s.statement(c.X)
		s.statement(c.Y)
	case *syntax.Block:
		s.statements(c.Stmts)
	case *syntax.Subshell:
		s.statements(c.Stmts)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			s.statements(c.Cond)
			s.statements(c.Then)
		}
	case *syntax.DeclClause:
		for _, assign := range c.Args {
			s.assignment(assign)
		}
	case *syntax.TimeClause:
		s.statement(c.Stmt)
	case *syntax.TestClause:
	case *syntax.WhileClause:
		s.unclear("a loop")
		s.statements(c.Cond)
		s.statements(c.Do)
	case *syntax.ForClause:
		s.unclear("a loop")
		s.statements(c.Do)
	case *syntax.CaseClause:
		s.unclear("a case distinction")
		for _, item := range c.Items {
			s.statements(item.Stmts)
		}
	case *syntax.FuncDecl:
		s.unclear("a function")
		s.statement(c.Body)
	default:
		s.unclear("shell code that is not read here")
	}
}

// input reads what a shell is given to run on its standard input.
func (s *script) input(stmt *syntax.Stmt, redirect *syntax.Redirect) {
	text := redirect.Hdoc
	if redirect.Op == syntax.WordHdoc {
		text = redirect.Word
	}
	if text == nil {
		return
	}
	name, args := programOf(stmt)
	if !isShell(name) || hasScript(args) {
		return
	}
	content, _ := literal(text)
	if !s.shellText(content, bash, s.depth+1, s.do) {
		s.clear = false
	}
}

func (s *script) assignment(a *syntax.Assign) {
	s.substitutions(a.Value)
	if a.Array != nil {
		for _, e := range a.Array.Elems {
			s.substitutions(e.Value)
		}
	}
}

// output looks for a download that is written to a file.
func (s *script) output(stmt *syntax.Stmt, redirect *syntax.Redirect) {
	if redirect.Op != syntax.RdrOut && redirect.Op != syntax.AppOut && redirect.Op != syntax.RdrClob {
		return
	}
	if file, _ := literal(redirect.Word); redirect.N != nil && redirect.N.Value != "1" || file == "/dev/null" {
		return
	}
	if address, ok := downloads(stmt); ok && address != "" && !hasCommit(address) {
		s.saved("the shell", address)
	}
}

// call reads a simple command.
func (s *script) call(c *syntax.CallExpr) {
	for _, a := range c.Assigns {
		s.assignment(a)
	}
	if len(c.Args) == 0 {
		return
	}
	words := make([]word, 0, len(c.Args))
	fetched := ""
	for _, arg := range c.Args {
		text, vague := literal(arg)
		words = append(words, s.inShell(text, vague))
		if address := s.substitutions(arg); fetched == "" {
			fetched = address
		}
	}
	name := programName(words[0].text)
	if fetched != "" && (has("eval source .", name) || isShell(name) || isScripted(name) || strings.Contains(words[0].text, "$(")) {
		s.piped(fetched)
	}
	if name == "eval" {
		text := strings.Join(texts(words[1:]), " ")
		if !s.shellText(text, bash, s.depth+1, s.do) {
			s.clear = false
		}
		return
	}
	s.do(words, s.depth+1)
}

// literal is a word as far as it is known: expansions stand in it as they are
// written.
func literal(w *syntax.Word) (text string, vague bool) {
	if w == nil {
		return "", false
	}
	var b strings.Builder
	var parts func([]syntax.WordPart)
	parts = func(list []syntax.WordPart) {
		for _, part := range list {
			switch p := part.(type) {
			case *syntax.Lit:
				b.WriteString(unescape(p.Value))
			case *syntax.SglQuoted:
				b.WriteString(p.Value)
			case *syntax.DblQuoted:
				parts(p.Parts)
			case *syntax.ParamExp:
				vague = true
				b.WriteString("${")
				if p.Param != nil {
					b.WriteString(p.Param.Value)
				}
				b.WriteString("}")
			default:
				vague = true
				b.WriteString("$()")
			}
		}
	}
	parts(w.Parts)
	return b.String(), vague
}

// unescape takes the backslashes of a literal away, as a shell does.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			if i++; text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// substitutions reads the commands whose output is put into a word. It returns
// what of them a download fetches, "" for none.
func (s *script) substitutions(w *syntax.Word) (fetched string) {
	if w == nil {
		return ""
	}
	inner := func(stmts []*syntax.Stmt) {
		s.unclear("a command substitution")
		s.statements(stmts)
		for _, stmt := range stmts {
			if address, ok := downloads(stmt); ok && fetched == "" {
				fetched = address
			}
		}
	}
	syntax.Walk(w, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.CmdSubst:
			inner(n.Stmts)
			return false
		case *syntax.ProcSubst:
			inner(n.Stmts)
			return false
		}
		return true
	})
	return fetched
}
