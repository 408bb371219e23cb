package fetch_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/launch/install"
	"github.com/mcp-lint/mcp-lint/internal/sandbox/fetch"
)

// What is judged is read by the package install, and what is started by this one.
// If they took different words for the package, one would be judged and another
// started. So every plan holds just the packages that install finds before the
// server's own arguments.

// judged are the packages of a command line as install reads them, without those
// that stand among the arguments of the program.
func judged(argv []string, plan fetch.Plan) []string {
	var packages []string
	for _, p := range install.Packages(argv, nil) {
		if p.Arg < 0 || p.Arg >= len(argv)-len(plan.Args) {
			continue
		}
		packages = append(packages, requirement(string(p.Ecosystem), p.Name, p.Spec))
	}
	slices.Sort(packages)
	return slices.Compact(packages)
}

// planned are those that would be fetched, in the same words.
func planned(plan fetch.Plan) []string {
	var packages []string
	for _, spec := range plan.Packages {
		name, version := spec, ""
		if plan.Ecosystem == fetch.NPM {
			if i := strings.LastIndexByte(spec, '@'); i > 0 {
				name, version = spec[:i], spec[i+1:]
			}
		} else if i := strings.IndexAny(spec, "[=<>!~"); i >= 0 {
			name, version = spec[:i], spec[i:]
			if i := strings.IndexByte(version, ']'); i >= 0 {
				version = version[i+1:]
			}
		}
		packages = append(packages, requirement(map[fetch.Ecosystem]string{fetch.NPM: "npm", fetch.PyPI: "PyPI"}[plan.Ecosystem], name, version))
	}
	slices.Sort(packages)
	return slices.Compact(packages)
}

// requirement writes uvx's NAME@VERSION and NAME@latest as pip writes them.
func requirement(ecosystem, name, version string) string {
	if ecosystem == "PyPI" {
		if version == "latest" {
			version = ""
		}
		version = strings.TrimPrefix(version, "==")
	}
	return ecosystem + " " + name + " " + version
}

func checkAgreement(t *testing.T, argv []string) (isPlan bool) {
	t.Helper()
	plan, ok, err := fetch.Parse(argv)
	if !ok || err != nil {
		return false
	}
	if judged, planned := judged(argv, plan), planned(plan); !slices.Equal(judged, planned) {
		t.Errorf("%q: judged %q, would be fetched %q", argv, judged, planned)
	}
	return true
}

// launchLines are the command lines of the tables of install.
func launchLines(t testing.TB) [][]string {
	t.Helper()
	const folder = "../../launch/install/testdata"
	var lines [][]string
	read := func(name string, into any) {
		data, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(data, into)
		}
		if err != nil {
			t.Fatal(name, err)
		}
	}
	var cases []struct{ Command []string }
	read(filepath.Join(folder, "launch-cases.json"), &cases)
	for _, c := range cases {
		lines = append(lines, c.Command)
	}
	files, err := filepath.Glob(filepath.Join(folder, "cases", "C*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		var config struct {
			MCPServers map[string]struct {
				Command string
				Args    []string
			} `json:"mcpServers"`
		}
		read(file, &config)
		for _, s := range config.MCPServers {
			lines = append(lines, append([]string{s.Command}, s.Args...))
		}
	}
	return lines
}

func TestWhatIsFetchedIsWhatIsJudged(t *testing.T) {
	t.Parallel()
	plans := 0
	for _, argv := range launchLines(t) {
		if checkAgreement(t, argv) {
			plans++
		}
	}
	if plans < 40 {
		t.Errorf("only %d of the tables' command lines are fetched", plans)
	}
	// Command lines put together from words that matter to one of the two.
	starts := []string{"npx", "npm exec", "npm x", "uvx", "uv tool run", "NPX.CMD", "/opt/bin/npx", "uvx.exe"}
	words := strings.Fields(`-y --yes -q -p --package --package=a -p=a -pa -yq -qp --from --from=b --with --with=c --isolated -n -U -v -- --
		a a@1.0.0 @s/a@^2 a@latest a@npm:b a@1||2 a.tgz a.TGZ a@b.tgz a.tar.gz a.tar a.whl a.py a.zip
		b b==1.0 b[x]==1 b@1 b@latest b[x]@1 b>=1,<2 b,c b,c==1 --with=b[x,y],c b[x,y]>=1,<2,c b, b[x, b==1@2 b@1@2 b===1 b== b@ python python@3.12 python3.12 Python
		@s/a s/a a#b a@ @a ~a _a a~ a. a.. a_ v1 {a} ${A} a@${V} =a a=1 --no-install --offline --no -c -w --prefix -s`)
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		argv := strings.Fields(starts[random.IntN(len(starts))])
		for range 1 + random.IntN(5) {
			argv = append(argv, words[random.IntN(len(words))])
		}
		checkAgreement(t, argv)
	}
}
