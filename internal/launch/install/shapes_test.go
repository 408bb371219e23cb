package install_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mcp-lint/mcp-lint/internal/launch/install"
)

// argvOf splits a test's command line: words at blanks, and texts in ‹ ›.
func argvOf(line string) []string {
	var argv []string
	for line != "" {
		if rest, text := strings.CutPrefix(line, "‹"); text {
			word, after, _ := strings.Cut(rest, "›")
			argv, line = append(argv, word), strings.TrimPrefix(after, " ")
			continue
		}
		var word string
		word, line, _ = strings.Cut(line, " ")
		argv = append(argv, word)
	}
	return argv
}

const (
	sha    = "4f1c2e7a9b3d5068c1e2f3a4b5c6d7e8f9012345"
	digest = "sha256:4be14be14be14be14be14be14be14be14be14be14be14be14be14be14be14be1"
)

// What the tables of cases do not have: each line is a command line and the
// findings, "" for none.
func TestShapes(t *testing.T) {
	t.Parallel()
	bad := builtin(t)
	for line, want := range map[string]string{
		// npm and its relatives.
		"npx --yes=true tides@1.0.0":                        "",
		"npx -y tides@${V:-1.2.3}":                          "unpinned tides",
		"npx -y @acme/tides@${V}":                           "unpinned @acme/tides",
		"npx -y tides@npm:other@1.0.0":                      "",
		"npx -y tides@npm:other@latest":                     "unpinned other",
		"npx -y tides@npm:postmark-mcp@1.0.16":              "known_bad postmark-mcp",
		"npx -y tides@":                                     "unpinned tides",
		"npx -y tides@git+https://git.example/a.git#main":   "unpinned_source git.example/a",
		"npx -y tides@github:acme/mcp#" + sha:               "",
		"npx -y tides@acme/mcp":                             "unpinned_source github.com/acme/mcp",
		"npx -y @acme/mcp@file:../x":                        "",
		"/usr/bin/firejail npx -y tides":                    "unparsed",
		"/usr/bin/docker-mcp docker":                        "",
		"npx -y tides@v1.2.3":                               "",
		"npx -y tides@1.2.3-rc.1":                           "",
		"npx -y tides@1.2":                                  "unpinned tides",
		"npx -yp tides tides":                               "unpinned tides",
		"npx --mystery tides@1.0.0":                         "unparsed",
		"npx -y https://github.com/acme/mcp":                "unpinned_source github.com/acme/mcp",
		"npx -y https://github.com/acme/mcp#" + sha:         "",
		"npx -y git@github.com:acme/mcp.git":                "unpinned_source github.com/acme/mcp",
		"npx -y git+ssh://git@host.example:22/a/b.git":      "unpinned_source host.example/a/b",
		"npx -y github:acme/mcp#semver:^1":                  "unpinned_source github.com/acme/mcp",
		"npx -y ${PKG}":                                     "unparsed",
		"npx -y tides@${VERSION}":                           "unpinned tides",
		"npx -y tides@1.0.0 --command npx other":            "",
		"node --no-warnings /x/npm/bin/npx-cli.js -y tides": "unpinned tides",
		"node server.js npx tides":                          "",
		"npm run start":                                     "",
		"npm start":                                         "",
		"npm install":                                       "",
		"npm install -g tides@1.0.0 other":                  "unpinned other",
		"npm create tides":                                  "unparsed",
		"pnpm exec tsx server.ts":                           "",
		"bun --watch src/x.ts":                              "",
		"bun --hot x -y tides":                              "unpinned tides",
		"volta run --node 22 npx -y tides":                  "unpinned tides",
		"conda run -n env --no-capture-output python a.py":  "",
		"micromamba run -n env uvx tides":                   "unpinned tides",
		"npx -y proxy@1.0.0 --port 1 npx -y tides":          "unpinned tides",
		"uvx proxy==1.0 --sse /usr/bin/uvx tides==1.0":      "",
		"npx -y proxy@1.0.0 npx":                            "",
		// npm takes its options behind the package too, npx does not.
		"npm exec tides --package=other":                  "unpinned other",
		"npm exec -y tides --package other@1.0.0 --stdio": "",
		"npm x tides@1.0.0 -y --package=postmark-mcp":     "unpinned postmark-mcp",
		"npm exec tides@1.0.0 -- --package=other":         "",
		"npm exec -- tides@1.0.0 --package=other":         "",
		"npx tides@1.0.0 --package=other":                 "",
		"npm exec tides@1.0.0 --no-install":               "",
		"pnpm --filter srv start":                         "",
		"yarn global add tides":                           "unpinned tides",
		"bun add tides@1.0.0":                             "",
		"bunx --package=tides@1.0.0 tides":                "",
		"npx -c ‹echo hello && tides›":                    "unpinned echo|unpinned tides",
		"npx --offline tides":                             "",
		"/opt/node/bin/npx -y tides":                      "unpinned tides",
		`‹C:\Program Files\nodejs\npx.cmd› -y tides`:      "unpinned tides",
		`‹C:\Program Files\Acme\server.exe›`:              "",
		"‹npx -y 'tides@1.0.0' --name \"two words\"›":     "",
		"‹node dist/index.js›":                            "",
		"npx -y @acme/mcp@1.0.0 -- npx other":             "unpinned other",
		// Python.
		"uvx --from tides[cli]@1.0 tides":                           "",
		"uvx --with ‹a>=1,<2,b==1.0› tides==1.0":                    "unpinned a",
		"uvx --with-editable . tides==1.0":                          "",
		"uvx python@3.12 -m pip install tides":                      "unpinned tides|no_hashes tides",
		"uvx python3.12 -m pip install tides":                       "unpinned tides|no_hashes tides",
		"uvx python3.12 server.py":                                  "",
		"uvx --with tides[a,b],orchard[c]==1.0,pebble x==1":         "unpinned tides|unpinned pebble",
		"uvx tides==1@2":                                            "unpinned tides",
		"uvx tides==newest":                                         "unpinned tides",
		"uvx tides===newest":                                        "",
		"uvx ‹tides @ git+https://git.example/t@main›":              "unpinned_source git.example/t",
		"uvx ‹tides @ git+https://git.example/t@" + sha + "›":       "",
		"uvx https://x.example/t-1.0.tar.gz#sha256=abc":             "",
		"uvx --index https://u:sesame@pypi.example/simple tides==1": "",
		"uv tool install tides":                                     "unpinned tides",
		"uv add tides":                                              "unpinned tides",
		"uv sync":                                                   "",
		"uv run --with tides==1.0 npx other":                        "unpinned other",
		"uv run https://x.example/serve.py":                         "unpinned_source x.example/serve.py",
		"uv pip install tides==1.0":                                 "no_hashes tides",
		"pipx install tides":                                        "unpinned tides",
		"pipx list":                                                 "",
		"python3.12 -u -m pip install tides==1 --require-hashes":    "",
		"python -c ‹import tides›":                                  "",
		"python -m uv tool run tides":                               "unpinned tides",
		"pip install -r requirements.txt":                           "no_hashes",
		"pip install -e .":                                          "no_hashes",
		"pip install -e git+https://git.example/a@main":             "unpinned_source git.example/a|no_hashes",
		"pip list":                           "",
		"uvx litellm==1.82.7.0":              "known_bad litellm",
		"uvx ‹litellm~=1.82.7,<1.82.8›":      "known_bad litellm",
		"uvx --with litellm litellm==1.82.7": "known_bad litellm",
		"uvx postmark-mcp==1.0.16":           "",
		"npx -y litellm@1.82.7":              "",
		"my-tool LITELLM=litellm==1.82.7":    "known_bad litellm",
		// Containers.
		"docker run -it --rm -e KEY=v -v /a:/b acme/mcp@" + digest: "",
		"docker --context remote run acme/mcp":                     "no_digest acme/mcp",
		"docker container run -d=true acme/mcp:1":                  "no_digest acme/mcp",
		"docker run localhost:5000/acme/mcp:1":                     "no_digest localhost:5000/acme/mcp",
		"docker run ${IMAGE}":                                      "unparsed",
		"docker run acme/mcp:postmark-mcp@1.0.16":                  "no_digest acme/mcp",
		"docker run --rm node@" + digest + " npx -y tides":         "unpinned tides",
		"docker compose run mcp":                                   "unparsed",
		"docker exec -i web npx tides":                             "unpinned tides",
		"docker start web":                                         "",
		"podman run --replace --name x docker://acme/mcp:1":        "no_digest acme/mcp",
		// Others.
		"deno run --allow-read=/a npm:@acme/mcp@1.0.0/cli":          "",
		"deno run jsr:@acme/mcp@1.0.0":                              "",
		"deno task start":                                           "",
		"deno https://x.example/a.ts":                               "unpinned_source x.example/a.ts",
		"deno run server.ts":                                        "",
		"go run -tags x example.org/a/b@" + sha:                     "",
		"go run example.org/a/b@v0.0.0-20240101000000-abcdefabcdef": "",
		"go run example.org/a/b@v1":                                 "unpinned example.org/a/b",
		"go build ./...":                                            "",
		"cargo +nightly install tides --version 1.2.3":              "",
		"cargo install --version 1.2 tides":                         "unpinned tides",
		"cargo install --git https://git.example/a tides":           "unpinned_source git.example/a",
		"cargo install --git https://git.example/a --rev " + sha:    "",
		"cargo install --path . ":                                   "",
		"dnx Acme.Mcp@[1.2.3] --yes -- --version 9":                 "",
		"dotnet run --project srv":                                  "",
		"nix run nixpkgs#hello":                                     "unpinned_source flake:nixpkgs",
		"nix run git+https://git.example/a?rev=" + sha:              "",
		"nix shell github:acme/mcp -c npx tides":                    "unpinned_source github.com/acme/mcp|unpinned tides",
		"mise x npm:tides@latest -- tides":                          "unpinned tides",
		"mise x npm:tides@1.0.0 -- tides":                           "",
		"mise run serve":                                            "",
		"java -Xmx1g -jar https://x.example/a.jar":                  "unpinned_source x.example/a.jar",
		"jbang org.acme:mcp:RELEASE":                                "unpinned org.acme:mcp",
		"jbang org.acme:mcp":                                        "unpinned org.acme:mcp",
		"jbang server.java":                                         "",
		"gem exec -v 1.2.3 tides":                                   "",
		"gem exec tides:1.2.3":                                      "",
		"smithery run @acme/mcp":                                    "unpinned @acme/mcp",
		// Unknown programs.
		"pkgx tides":                       "unparsed",
		"strange-runner run tides":         "unparsed",
		"strange-wrapper --x npx -y tides": "unparsed",
		"github-mcp-server stdio":          "",
		"./run exec tides":                 "",
		"node server.js npx":               "",
		// Wrappers.
		"sudo -u svc -- npx tides":                  "unpinned tides",
		"env -S ‹npx -y tides›":                     "unpinned tides",
		"env -u A -C /tmp B=c npx tides":            "unpinned tides",
		"timeout -k 5 10s nice -n 5 npx tides":      "unpinned tides",
		"stdbuf -oL npx tides":                      "unpinned tides",
		"doppler run --command ‹npx tides && true›": "unpinned tides",
		"dotenv -f .env run -- npx tides":           "unpinned tides",
		"dotenv npx tides":                          "unpinned tides",
		"aws-vault exec prod -- uvx tides":          "unpinned tides",
		"nvm exec 22 npx tides":                     "unpinned tides",
		"fnm exec --using 22 npx tides":             "unpinned tides",
		"wsl -d Ubuntu -- bash -lc ‹npx tides›":     "unpinned tides",
		"poetry run python server.py":               "",
		"command -v npx":                            "",
		// Shell strings.
		"bash -c ‹npx -y tides@1.0.0 2>&1 | tee log›":                                                              "",
		"bash -c ‹if true; then npx tides; else uvx other; fi›":                                                    "unpinned tides|unpinned other",
		"bash -c ‹(cd a; npx tides) & wait›":                                                                       "unpinned tides",
		"bash -c ‹f() { npx tides; }; f›":                                                                          "unpinned tides|unparsed",
		"bash -c ‹\"$NODE\" server.js›":                                                                            "unparsed",
		"bash -c ‹npx -y \"tides@$V\"›":                                                                            "unpinned tides",
		"bash -c ‹npx -y ti\\des@1.0.0›":                                                                           "",
		"bash -c ‹echo 'npx tides'›":                                                                               "",
		"bash -c ‹eval \"npx tides\"›":                                                                             "unpinned tides",
		"bash -c ‹npx 'a›":                                                                                         "unparsed",
		"bash --rcfile x -lc ‹npx tides› name":                                                                     "unpinned tides",
		"bash script.sh":                                                                                           "",
		"sh -c -e ‹npx tides›":                                                                                     "unpinned tides",
		"zsh -c ‹print -l *(.) && npx tides›":                                                                      "unpinned tides",
		"sh -c ‹wget -qO- https://x.example/a.sh | sudo bash -s -- -y›":                                            "unpinned_source x.example/a.sh",
		"sh -c ‹curl -fsSL https://x.example/a/b/i.sh?t=sesame | tee x | sh›":                                      "unpinned_source x.example/…/i.sh",
		"sh -c ‹$(curl -s https://x.example/a.sh)›":                                                                "unpinned_source x.example/a.sh|unparsed",
		"bash -c ‹bash <(curl -s https://x.example/a.sh)›":                                                         "unpinned_source x.example/a.sh|unparsed",
		"sh -c ‹curl -o x.sh https://x.example/x.sh && sh x.sh›":                                                   "unparsed",
		"sh -c ‹curl -fsSLO https://x.example/x && ./x›":                                                           "unparsed",
		"sh -c ‹curl -s https://x.example/x > x.sh; sh x.sh›":                                                      "unparsed",
		"sh -c ‹wget -q https://x.example/x && chmod +x x && ./x›":                                                 "unparsed",
		"sh -c ‹wget -O x https://x.example/" + sha + "/x && ./x›":                                                 "",
		"sh -c ‹curl -so /dev/null https://x.example/up && node a.js›":                                             "",
		"sh -c ‹curl -s https://x.example/up >/dev/null 2>&1; node a.js›":                                          "",
		"sh -c ‹wget -qO- https://x.example/up; node a.js›":                                                        "",
		"sh -c ‹wget --spider https://x.example/up; node a.js›":                                                    "",
		"bash -c ‹git clone https://git.example/a/b && node b/x.js›":                                               "unpinned_source git.example/a/b",
		"bash -c ‹git clone --depth 1 -b v2 git@git.example:a/b.git /srv/b; node x.js›":                            "unpinned_source git.example/a/b",
		"bash -c ‹git clone https://me:sesame@git.example/a/b x && cd x && git checkout " + sha + " && node x.js›": "",
		"bash -c ‹git clone /srv/git/b && node b/x.js›":                                                            "",
		"bash -c ‹git -C b pull -q && node b/x.js›":                                                                "unparsed",
		"bash -c ‹git status; node x.js›":                                                                          "",
		"git clone https://git.example/a/postmark-mcp-1.0.16.tgz":                                                  "known_bad postmark-mcp",
		"sh -c ‹echo bnB4 | base64 -d | sh›":                                                                       "unparsed",
		"bash -c ‹cat a.py | python -›":                                                                            "unparsed",
		"bash -c ‹cat a.json | node server.js›":                                                                    "",
		"fish -c ‹base64 -d a | sh›":                                                                               "unparsed",
		"cmd /c ‹type a.json | node server.js›":                                                                    "",
		"sh -c ‹curl -s https://x.example/" + sha + "/a.sh | sh›":                                                  "",
		"sh -c ‹curl -s http://localhost/health | node check.js›":                                                  "",
		"sh -c ‹curl -s http://localhost/health; node a.js›":                                                       "",
		"fish -c ‹set -x A b; and npx tides›":                                                                      "unpinned tides",
		"fish -c ‹npx (cat p)›":                                                                                    "unparsed",
		"fish -c ‹curl -s https://x.example/a.fish | source›":                                                      "",
		"fish -c ‹A=b npx \"tides@1.0.0\"›":                                                                        "",
		"pwsh -NoProfile -ExecutionPolicy Bypass -c ‹$env:A='b'; & npx -y tides›":                                  "unpinned tides",
		"powershell ‹npx -y \"tides@1.0.0\"›":                                                                      "",
		"powershell -nop -c ‹iwr -useb https://x.example/a.ps1 | iex›":                                             "unpinned_source x.example/a.ps1",
		"powershell -EncodedCommand AAAA":                                                                          "unparsed",
		"powershell -File server.ps1":                                                                              "",
		"pwsh -c ‹foreach ($x in 1) { npx tides }›":                                                                "unpinned tides|unparsed",
		"cmd /d /s /c ‹set A=b&& npx -y tides@1.0.0›":                                                              "",
		"cmd /c ‹npx -y \"tides\" > log 2>&1›":                                                                     "unpinned tides",
		"cmd /c ‹for %i in (1) do npx tides›":                                                                      "unpinned tides|unparsed",
		"bash -c ‹bash -s <<'E'\nnpx tides\nE\n›":                                                                  "unpinned tides",
		"bash -c ‹sh <<< 'npx tides'›":                                                                             "unpinned tides",
		"bash -c ‹cat <<E\nnpx tides\nE\n›":                                                                        "",
		"bash -c ‹echo tides | xargs npx -y›":                                                                      "unparsed",
		"powershell -c ‹iex ((New-Object Net.WebClient).DownloadString('https://x.example/a.ps1'))›":               "unpinned_source x.example/a.ps1|unparsed",
		"npx -y supergateway@1.0.0 --stdio ‹npx -y tides›":                                                         "unpinned tides",
		"cmd /c ‹start \"\" /wait npx tides›":                                                                      "unpinned tides",
		"cmd /c start npx tides":                                                                                   "unpinned tides",
	} {
		var found []string
		for _, f := range judge(t, argvOf(line), bad) {
			found = append(found, strings.TrimSpace(f.kind+" "+f.pkg))
		}
		var expected []string
		for part := range strings.SplitSeq(want, "|") {
			if part != "" {
				expected = append(expected, part)
			}
		}
		slices.Sort(found)
		slices.Sort(expected)
		if !slices.Equal(found, expected) {
			t.Errorf("%s\n\tfound %q\n\twant  %q", line, found, expected)
		}
	}
}

// Places are those of the whole package word, so that it can be written anew.
func TestPackagesHaveTheirPlaces(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]install.Package{
		"npx --package=@acme/mcp -p b@1.0.0 x": {
			{Ecosystem: install.NPM, Name: "@acme/mcp", Class: install.Unpinned, Arg: 1, Start: 10, End: 19},
			{Ecosystem: install.NPM, Name: "b", Spec: "1.0.0", Class: install.Fine, Arg: 3, Start: 0, End: 7},
		},
		"cmd /c npx -y tides@1": {
			{Ecosystem: install.NPM, Name: "tides", Spec: "1", Class: install.Unpinned, Arg: 4, Start: 0, End: 7},
		},
		"uvx --with a,b[x]>=1 t==2": {
			{Ecosystem: install.PyPI, Name: "a", Class: install.Unpinned, Arg: 2, Start: 0, End: 1},
			{Ecosystem: install.PyPI, Name: "b", Spec: ">=1", Class: install.Unpinned, Arg: 2, Start: 2, End: 9},
			{Ecosystem: install.PyPI, Name: "t", Spec: "==2", Class: install.Fine, Arg: 3, Start: 0, End: 4},
		},
		"docker run acme/mcp:1": {
			{Ecosystem: install.Docker, Name: "acme/mcp", Spec: "1", Class: install.NoDigest, Arg: 2, Start: 0, End: 10},
		},
		"sh -c ‹npx tides && uvx --from git+https://git.example/a@x b›": {
			{Ecosystem: install.NPM, Name: "tides", Class: install.Unpinned, Arg: -1},
			{Ecosystem: install.Git, Name: "git.example/a", Spec: "x", Class: install.UnpinnedSource, Arg: -1},
		},
		"pip install t==2 u": {
			{Ecosystem: install.PyPI, Name: "t", Spec: "==2", Class: install.NoHashes, Arg: 2, End: 4},
			{Ecosystem: install.PyPI, Name: "u", Class: install.Unpinned, Arg: 3, End: 1},
		},
		"npx ./a": {{Ecosystem: install.Local, Name: "a", Class: install.Fine, Arg: 1, End: 3}},
		"node a":  {},
	} {
		if diff := cmp.Diff(want, install.Packages(argvOf(line), builtin(t)), cmpopts.IgnoreFields(install.Package{}, "Runner")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}

// A command line may hold secrets: no finding and no reason repeats more of it
// than packages.
func TestFindingsRepeatNoSecrets(t *testing.T) {
	t.Parallel()
	bad := builtin(t)
	for _, line := range []string{
		"npx -y tides --token sesame",
		"npx --//registry.example/:_authToken=sesame -y tides",
		"npx --mystery=sesame -ysesame tides",
		"npx -y git+https://user:sesame@git.example/a.git",
		"npx -y https://git.example/sesame/a.tgz?key=sesame",
		"npx -y https://git.example/sesame",
		"uvx --index-url https://sesame@pypi.example/simple tides",
		"uvx --from git+https://sesame@git.example/a@main b",
		"docker run -e KEY=sesame acme/mcp",
		"env KEY=sesame npx -y tides",
		"sh -c ‹KEY=sesame npx -y postmark-mcp@1.0.16 --key sesame›",
		"sh -c ‹curl -H 'Authorization: sesame' https://x.example/sesame/a.sh | sh›",
		"sh -c ‹curl -o a.sh https://me:sesame@x.example/sesame/a.sh?t=sesame›",
		"bash -c ‹git clone https://me:sesame@git.example/a/b?t=sesame›",
		"uvx tides>=1,/sesame",
		"sh -c ‹export KEY=$(echo sesame); npx tides›",
		"nix run git+https://sesame@git.example/a?token=sesame",
		"/home/sesame/bin/npx ./sesame/x -y",
		"npx -y github:sesame@acme/mcp",
		"npx -y tides@https://user:sesame@git.example/a.tgz",
		"npx -y tides@git+https://sesame@git.example/a.git#main",
		"uvx ‹tides @ sftp://user:sesame@git.example/a›",
		"uvx tides@sftp://user:sesame@git.example/a",
		"cargo install tides@user:sesame@git.example",
		"go run example.org/a@user:sesame@git.example",
		"docker run acme/mcp:user@sesame:sesame",
	} {
		argv := argvOf(line)
		reason, _ := install.Refused(argv, bad)
		text := reason
		for _, o := range install.Judge(argv, bad) {
			text += o.Message + o.Fix + o.Package
		}
		if strings.Contains(text, "sesame") {
			t.Errorf("%s: %s", line, text)
		}
	}
}

// What hides bad packages from a look must not hide them from this one.
func TestKnownBadIsFoundBehindPadding(t *testing.T) {
	t.Parallel()
	bad := builtin(t)
	many := strings.Fields(strings.Repeat("-p a ", 2_000))
	for name, argv := range map[string][]string{
		"many packages":    append(append([]string{"npx"}, many...), "-p", "postmark-mcp@1.0.16", "x"),
		"long option":      {"npx", "--registry", strings.Repeat("x", 1<<20), "-y", "postmark-mcp@1.0.16"},
		"many commands":    {"sh", "-c", strings.Repeat("true;", 5_000) + "npx -y postmark-mcp@1.0.16"},
		"broken at end":    {"bash", "-c", strings.Repeat("x ", 5_000) + "uvx litellm==1.82.7\n("},
		"nested":           {"sh", "-c", "sh -c \"sh -c 'npx -y postmark-mcp@1.0.16'\""},
		"many assignments": append(strings.Fields("env "+strings.Repeat("A=b ", 5_000)), "npx", "postmark-mcp@1.0.16"),
		"equal signs":      {"node", strings.Repeat("a=", 3_000) + "postmark-mcp@1.0.16"},
		"encoded name":     {"uvx", "--from", "https://x.example/lite%6Clm-1.82.7-py3-none-any.whl", "x"},
		"scope of npm":     {"npx", "-y", "https://x.example/postmark-mcp/-/postmark-mcp-1.0.16.tgz"},
	} {
		if reason, refused := install.Refused(argv, bad); !refused || !strings.Contains(reason, "is known to be bad") {
			t.Errorf("%s: %s", name, reason)
		}
	}
}

// Fixes name the form to write.
func TestFixesNameTheForm(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"npx -y tides@latest":                    "tides@X.Y.Z",
		"uvx tides":                              "tides==X.Y.Z",
		"uvx tides[cli]>=1":                      "`tides[cli]==X.Y.Z`",
		"uv run --with tides[a,b]>=1,<2 x":       "`tides[a,b]==X.Y.Z`",
		"deno run -A npm:@a/b":                   "`npm:@a/b@X.Y.Z`",
		"deno run -A jsr:@a/b@1":                 "`jsr:@a/b@X.Y.Z`",
		"mise exec pipx:tides -- tides":          "`pipx:tides@X.Y.Z`",
		"go run example.org/a@latest":            "example.org/a@vX.Y.Z",
		"docker run acme/mcp:2":                  "acme/mcp:2@sha256:DIGEST",
		"npx github:acme/mcp":                    "#COMMIT",
		"uvx --from git+https://git.example/a b": "@COMMIT",
		"nix run github:acme/mcp":                "github:OWNER/REPOSITORY/COMMIT",
		"pip install tides==1":                   "--require-hashes -r FILE",
		"gem exec tides":                         "tides --version X.Y.Z",
		"cargo install tides":                    "tides@X.Y.Z",
		"dnx Acme.Mcp":                           "Acme.Mcp@X.Y.Z",
		"jbang acme@acme":                        "GROUP:ARTIFACT:X.Y.Z",
	} {
		seen := install.Judge(argvOf(line), nil)
		if len(seen) != 1 || !strings.Contains(seen[0].Fix, want) || !strings.HasSuffix(seen[0].Rule, "-source") && seen[0].Package == "" {
			t.Errorf("%s: %+v, want %q in the fix", line, seen, want)
		}
	}
}
