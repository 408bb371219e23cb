package advisory

import (
	"strconv"
	"strings"

	gem "github.com/aquasecurity/go-gem-version"
	npm "github.com/aquasecurity/go-npm-version/pkg"
	pep440 "github.com/aquasecurity/go-pep440-version"
	generic "github.com/aquasecurity/go-version/pkg/version"
	maven "github.com/masahiro331/go-mvn-version"
)

// longestVersion is more than any real version has. Longer texts are none, and
// cost nothing.
const longestVersion = 256

// Normalize gives one spelling to versions that are the same: without a leading
// v, padding zeros, trailing .0, the local or build part behind a +, and 0!. What
// is no version comes back in lower case.
func Normalize(ecosystem, version string) string {
	v := strings.ToLower(strings.TrimSpace(version))
	if len(v) > longestVersion {
		return v
	}
	v, _, _ = strings.Cut(v, "+")
	if ecosystem == "PyPI" {
		if parsed, err := pep440.Parse(v); err == nil {
			v = parsed.String()
		}
	}
	v = strings.TrimPrefix(strings.TrimPrefix(v, "v"), "0!")
	end := strings.IndexFunc(v, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(v)
	}
	numbers, rest := strings.Split(v[:end], "."), v[end:]
	for i, n := range numbers {
		if trimmed := strings.TrimLeft(n, "0"); trimmed != "" || n == "" {
			numbers[i] = trimmed
		} else {
			numbers[i] = "0"
		}
	}
	for len(numbers) > 1 && numbers[len(numbers)-1] == "0" {
		numbers = numbers[:len(numbers)-1]
	}
	return strings.Join(numbers, ".") + rest
}

// Compare orders two exact versions of a registry. ok is false when one of them
// is no version there.
func Compare(ecosystem, a, b string) (order int, ok bool) {
	if len(a) > longestVersion || len(b) > longestVersion {
		return 0, false
	}
	switch ecosystem {
	case "PyPI":
		x, errA := pep440.Parse(a)
		y, errB := pep440.Parse(b)
		if errA != nil || errB != nil {
			return 0, false
		}
		return x.Compare(y), true
	case "npm", "crates.io", "Go", "JSR":
		x, errA := npm.NewVersion(threeNumbers(a))
		y, errB := npm.NewVersion(threeNumbers(b))
		if errA != nil || errB != nil {
			return 0, false
		}
		return x.Compare(y), true
	case "RubyGems":
		x, errA := gem.NewVersion(a)
		y, errB := gem.NewVersion(b)
		if errA != nil || errB != nil {
			return 0, false
		}
		return x.Compare(y), true
	case "Maven":
		x, errA := maven.NewVersion(a)
		y, errB := maven.NewVersion(b)
		if errA != nil || errB != nil {
			return 0, false
		}
		return x.Compare(y), true
	}
	x, errA := generic.Parse(a)
	y, errB := generic.Parse(b)
	if errA != nil || errB != nil {
		return 0, false
	}
	return x.Compare(y), true
}

// threeNumbers completes a version that leaves out zeros, as OSV's "0" does.
func threeNumbers(version string) string {
	v := strings.TrimPrefix(version, "v")
	end := strings.IndexAny(v, "-+")
	if end < 0 {
		end = len(v)
	}
	for range 2 - min(2, strings.Count(v[:end], ".")) {
		v = v[:end] + ".0" + v[end:]
		end += len(".0")
	}
	return v
}

// nextPatch is the release behind a version: 1.2.4 for 1.2.3.
func nextPatch(version string) string {
	v := threeNumbers(version)
	if end := strings.IndexAny(v, "-+"); end >= 0 {
		v = v[:end]
	}
	i := strings.LastIndexByte(v, '.') + 1
	n, err := strconv.Atoi(v[i:])
	if err != nil {
		return v
	}
	return v[:i] + strconv.Itoa(n+1)
}
