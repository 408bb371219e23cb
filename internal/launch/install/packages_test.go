package install

import "testing"

// Who rewrites a package needs to know whose language its word is in, and where
// the ref of a repository begins.
func TestPackagesOfRepositories(t *testing.T) {
	t.Parallel()
	const sha = "0123456789abcdef0123456789abcdef01234567"
	for _, tt := range []struct {
		argv               []string
		runner, name, spec string
		class              Class
	}{
		{[]string{"uvx", "--from", "git+https://git.example/o/r@feature/x", "x"}, "uvx", "git.example/o/r", "feature/x", UnpinnedSource},
		{[]string{"uvx", "--from", "git+https://git.example/o/r.git@feature/x#subdirectory=a", "x"}, "uvx", "git.example/o/r", "feature/x", UnpinnedSource},
		{[]string{"uvx", "--from", "git+https://git.example/o/r@" + sha, "x"}, "uvx", "git.example/o/r", sha, Fine},
		{[]string{"uvx", "--from", "git+ssh://git@git.example/o/r", "x"}, "uvx", "git.example/o/r", "", UnpinnedSource},
		{[]string{"uvx", "--from", "git+https://me:pass@git.example", "x"}, "uvx", "git.example", "", UnpinnedSource},
		{[]string{"npx", "-y", "git+https://git.example/o/r#feature/x"}, "npx", "git.example/o/r", "feature/x", UnpinnedSource},
	} {
		packages := Packages(tt.argv, nil)
		if len(packages) != 1 {
			t.Errorf("%q: %+v", tt.argv, packages)
			continue
		}
		if p := packages[0]; p.Runner != tt.runner || p.Name != tt.name || p.Spec != tt.spec || p.Class != tt.class {
			t.Errorf("%q: %+v", tt.argv, p)
		}
	}
}
