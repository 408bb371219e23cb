package install

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	npm "github.com/aquasecurity/go-npm-version/pkg"
	pep440 "github.com/aquasecurity/go-pep440-version"

	"github.com/mcp-lint/mcp-lint/internal/launch/advisory"
)

// longestSpec is more than any real range of versions has, in bytes. A longer one
// is a range that nothing is known about.
const longestSpec = 512

// What exact versions look like, by registry.
const three = `\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?`

var (
	npmExact   = regexp.MustCompile(`^=?v?(` + three + `)$`)
	crateExact = regexp.MustCompile(`^=?(` + three + `)$`)
	goExact    = regexp.MustCompile(`^(v` + three + `|[0-9a-f]{40})$`)
	nugetExact = regexp.MustCompile(`^\[?(\d+\.\d+\.\d+(?:\.\d+)?(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)\]?$`)
	gemExact   = regexp.MustCompile(`^(\d+(?:\.[0-9A-Za-z]+)*(?:-[0-9A-Za-z.]+)?)$`)
	mavenExact = regexp.MustCompile(`^(\d[0-9A-Za-z._-]*)$`)
)

func exactForm(of Ecosystem) *regexp.Regexp {
	switch of {
	case NPM, JSR:
		return npmExact
	case Crates:
		return crateExact
	case Go:
		return goExact
	case NuGet:
		return nugetExact
	case RubyGems:
		return gemExact
	case Maven:
		return mavenExact
	}
	return nil
}

// exact returns the version that a spec asks for, when it asks for exactly one:
// ==1.2 and ===1.2 and, behind an @, 1.2 for PyPI; three numbers elsewhere.
func exact(of Ecosystem, spec string) (version string, ok bool) {
	if len(spec) > longestSpec {
		return "", false
	}
	if of == PyPI {
		return exactPython(spec)
	}
	form := exactForm(of)
	if form == nil {
		return "", false
	}
	m := form.FindStringSubmatch(strings.TrimSpace(spec))
	if m == nil || of == Maven && strings.HasSuffix(m[1], "-SNAPSHOT") {
		return "", false
	}
	return m[1], true
}

func exactPython(spec string) (version string, ok bool) {
	for clause := range strings.SplitSeq(spec, ",") {
		clause = strings.TrimSpace(clause)
		v, equal := strings.CutPrefix(clause, "==")
		v, arbitrary := strings.CutPrefix(v, "=")
		v = strings.TrimSpace(v)
		switch {
		case equal && (isPython(v) || arbitrary && plainName.MatchString(v)):
			return v, true
		case !equal && clause == spec:
			return clause, isPython(clause)
		}
	}
	return "", false
}

func isPython(version string) bool {
	_, err := pep440.Parse(version)
	return err == nil
}

// limits is a range of versions that can be asked whether it holds one.
type limits func(version string) bool

// limitsOf reads a range, nil for what is none. Without a spec any version will do.
func limitsOf(of Ecosystem, spec string) limits {
	if spec == "" || spec == "latest" {
		return func(string) bool { return true }
	}
	if len(spec) > longestSpec {
		return nil
	}
	switch of {
	case NPM, JSR:
		return func(version string) bool {
			return tolerant(func() bool {
				c, err := npm.NewConstraints(plainRange(spec))
				if err != nil {
					return false
				}
				v, err := npm.NewVersion(version)
				return err == nil && c.Check(v)
			})
		}
	case PyPI:
		return func(version string) bool {
			return tolerant(func() bool {
				c, err := pep440.NewSpecifiers(spec)
				if err != nil {
					return false
				}
				v, err := pep440.Parse(version)
				return err == nil && c.Check(v)
			})
		}
	}
	return nil
}

// tolerant calls holds, which is false when it panics. The libraries do so for
// some texts that are no ranges (~0.0X0 of npm), and here anybody may write one.
func tolerant(holds func() bool) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return holds()
}

// plainRange rewrites what the library refuses and npm takes: 1.0.2 - 1.0.16
// with its blanks, and ~> for ~.
func plainRange(spec string) string {
	alternatives := strings.Split(spec, "||")
	for i, a := range alternatives {
		from, to, hyphen := strings.Cut(strings.TrimSpace(a), " - ")
		if hyphen {
			a = ">=" + strings.TrimSpace(from) + " <=" + strings.TrimSpace(to)
		}
		alternatives[i] = strings.ReplaceAll(a, "~>", "~")
	}
	return strings.Join(alternatives, "||")
}

// pins reports whether a range is as good as a bad version: the version is in it,
// and none of those that would come next is. Where these are in a stretch of bad
// versions, the next is the one behind it (after), "" when there is none. A range
// that goes on, so that a mended version would be taken, is only unpinned.
func pins(of Ecosystem, l limits, bad string, after func(version string) string) bool {
	if l == nil {
		return false
	}
	numbers, ok := threeNumbers(advisory.Normalize(string(of), bad))
	if !ok {
		return false
	}
	inside := bad
	if of != PyPI && !strings.ContainsAny(bad, "-+") {
		inside = fmt.Sprintf("%d.%d.%d", numbers[0], numbers[1], numbers[2])
	}
	if !l(inside) {
		return false
	}
	mended := func(next string) bool {
		good := after(next)
		if good == advisory.Normalize(string(of), next) {
			good = next
		}
		return good != "" && l(good)
	}
	return !mended(fmt.Sprintf("%d.%d.%d", numbers[0], numbers[1], numbers[2]+1)) &&
		!mended(fmt.Sprintf("%d.%d.0", numbers[0], numbers[1]+1)) &&
		!mended(fmt.Sprintf("%d.0.0", numbers[0]+1))
}

// threeNumbers are the first three numbers of a version; missing ones are 0.
func threeNumbers(version string) (n [3]int, ok bool) {
	end := strings.IndexFunc(version, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end >= 0 {
		version = version[:end]
	}
	for i, part := range strings.Split(strings.Trim(version, "."), ".") {
		if i == len(n) {
			break
		}
		v, err := strconv.Atoi(part)
		if err != nil || v < 0 || v > 1<<30 {
			return n, false
		}
		n[i] = v
	}
	return n, true
}
