package launch

import "testing"

// What identifies a remote server: where it is, and not what is shown to it.
func TestURLHash(t *testing.T) {
	t.Parallel()
	same := [][2]string{
		{"https://tides.example/mcp", "https://me:sesame@TIDES.example:443/mcp?token=a#b"},
		{"https://tides.example", "https://tides.example/"},
		{"http://tides.example", "http://tides.example:80/"},
		{"https://bücher.example/mcp", "https://xn--bcher-kva.example/mcp"},
		{"https://tides.example/mcp?token=${A}", "https://tides.example/mcp?token=${B}"},
		{"${BASE:-https://tides.example}/mcp?token=a", "${BASE}/mcp"},
		{"http://[::1]:8080/mcp", "http://[::1]:8080/mcp?x=1"},
		{"http://[::1]:8080/mcp", "HTTP://[0:0:0:0:0:0:0:1]:08080/mcp"},
		{"https://tides.example/~a%2Fb%C3%BC", "https://tides.example/%7e%61%2fb%c3%bc"},
	}
	for _, pair := range same {
		a, b := Server{URL: pair[0]}.CommandSHA256(), Server{URL: pair[1]}.CommandSHA256()
		if a == "" || a != b {
			t.Errorf("%s and %s are one server: %q, %q", pair[0], pair[1], a, b)
		}
	}
	seen := map[string]string{}
	for _, address := range []string{
		"https://tides.example/mcp", "http://tides.example/mcp", "https://tides.example:8443/mcp", "https://tides.example/mcp/",
		"https://tide.example/mcp", "https://tides.example/mcp/${TENANT}", "https://${HOST}/mcp", "https://tides.example/a%2Fb", "${BASE}/mcp", "${BASE}/other",
		"https://tides.example/a/b",
	} {
		sum := Server{URL: address}.CommandSHA256()
		if sum == "" || seen[sum] != "" {
			t.Errorf("%s: hash %q, that of %q", address, sum, seen[sum])
		}
		seen[sum] = address
	}
	for _, bad := range []string{"ftp://tides.example", "tides.example", "https://", "https://a:0/", "https://a:99999/", "https://a:00/", "https://a\nb/"} {
		if sum := (Server{URL: bad}).CommandSHA256(); sum != "" {
			t.Errorf("%q has a hash", bad)
		}
	}
}

func TestIsLocal(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST": true, "127.0.0.1": true, "127.1.2.3": true, "::1": true,
		"localhost.tides.example": false, "127.0.0.1.tides.example": false, "::ffff:127.0.0.1": false, "0.0.0.0": false, "10.0.0.1": false, "127.1": false,
	} {
		if got := IsLocal(host); got != want {
			t.Errorf("IsLocal(%q) = %v", host, got)
		}
	}
}
