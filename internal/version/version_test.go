package version

import "testing"

func TestVersionIsTheTagOfTheBuild(t *testing.T) {
	t.Parallel()
	for stamp, want := range map[string]string{
		"v0.1.0":                             "0.1.0",
		"v1.12.3":                            "1.12.3",
		"v1.12.3+dirty":                      Released + "-dev",
		"v0.0.0-20261130221500-ab73ab2c1d2e": Released + "-dev",
		"(devel)":                            Released + "-dev",
		"":                                   Released + "-dev",
	} {
		if got := of(stamp); got != want {
			t.Errorf("a build of %q is version %q, want %q", stamp, got, want)
		}
	}
	if got := Version(); got != Released+"-dev" {
		t.Errorf("a test is version %q", got)
	}
}
