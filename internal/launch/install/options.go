package install

import "strings"

// options says how a program's options are read. Names are separated by blanks
// and written as on the command line.
type options struct {
	// values are the options with a value, in the next word or behind a =.
	values string
	// flags are those without; a value behind a = is theirs.
	flags string
	// othersTakeValues is for programs whose flags are fewer than what the lists
	// could hold: every long option that is no flag takes a value.
	othersTakeValues bool
	// single: long options begin with one hyphen, and short ones are not joined,
	// as in Go's and Java's programs.
	single bool
}

func has(names, name string) bool {
	for len(names) > 0 {
		var first string
		first, names, _ = strings.Cut(names, " ")
		if first == name {
			return true
		}
	}
	return false
}

// option is one that was read.
type option struct {
	name  string
	value word
	given bool // has a value
}

// next reads the option that words begin with. n is how many words it takes, 0
// when there is none: a positional word, --, or the end.
func (o options) next(words []word) (opt option, n int, known bool) {
	if len(words) == 0 {
		return opt, 0, true
	}
	w := words[0]
	if len(w.text) < 2 || w.text[0] != '-' || w.text == "--" {
		return opt, 0, true
	}
	name, _, joined := strings.Cut(w.text, "=")
	takes := has(o.values, name) || o.othersTakeValues && strings.HasPrefix(name, "--") && !has(o.flags, name)
	switch {
	case joined && (takes || has(o.flags, name) || strings.HasPrefix(name, "--") || o.single):
		return option{name, w.from(len(name) + 1), true}, 1, takes || has(o.flags, name)
	case takes && len(words) > 1:
		return option{name, words[1], true}, 2, true
	case takes:
		return option{name: name}, 1, true
	case has(o.flags, name):
		return option{name: name}, 1, true
	case strings.HasPrefix(name, "--") || o.single:
		return option{name: name}, 1, false
	}
	return o.cluster(words)
}

// cluster reads joined short options: -it, -qy, and -pVALUE or -ip VALUE, whose
// last one takes what is left of the word or the next word.
func (o options) cluster(words []word) (opt option, n int, known bool) {
	w := words[0]
	for i := 1; i < len(w.text); i++ {
		name := "-" + w.text[i:i+1]
		if has(o.values, name) {
			switch rest := w.from(i + 1); {
			case rest.text != "":
				return option{name, rest.from(len(rest.text) - len(strings.TrimPrefix(rest.text, "="))), true}, 1, true
			case len(words) > 1:
				return option{name, words[1], true}, 2, true
			}
			return option{name: name}, 1, true
		}
		if !has(o.flags, name) {
			return option{name: name}, 1, false
		}
	}
	return option{name: w.text}, 1, true
}

// scan reads options up to the first positional word or --, and hands each to
// take; unknown ones are noted. It returns the rest, without the --.
func (r *reader) scan(program string, words []word, o options, take func(option)) (rest []word) {
	rest, _ = r.scanTo(program, words, o, take)
	return rest
}

func (r *reader) scanTo(program string, words []word, o options, take func(option)) (rest []word, dashes bool) {
	for {
		opt, n, known := o.next(words)
		if n == 0 {
			break
		}
		if !known {
			r.unknownOption(program, opt.name)
		}
		if take != nil {
			take(opt)
		}
		words = words[n:]
	}
	if len(words) > 0 && words[0].text == "--" {
		return words[1:], true
	}
	return words, false
}

// gather is scan for programs that take options and words in any order: it
// returns all positional words, and those behind a -- by themselves.
func (r *reader) gather(program string, words []word, o options, take func(option)) (positional, behind []word) {
	for {
		rest, dashes := r.scanTo(program, words, o, take)
		if dashes {
			return positional, rest
		}
		if len(rest) == 0 {
			return positional, nil
		}
		positional, words = append(positional, rest[0]), rest[1:]
	}
}
