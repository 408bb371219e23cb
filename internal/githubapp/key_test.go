package githubapp_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"strings"
	"sync"
	"testing"

	"github.com/mcp-lint/mcp-lint/internal/githubapp"
)

// testKey is made once: RSA keys are slow.
var testKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func TestParsePrivateKey(t *testing.T) {
	t.Parallel()
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8 := func(key any) []byte {
		b, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	public, err := x509.MarshalPKIXPublicKey(testKey().Public())
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string, b []byte) []byte {
		return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b})
	}
	for name, c := range map[string]struct {
		text []byte
		says string
	}{
		"as GitHub makes it": {block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(testKey())), ""},
		"PKCS#8":             {block("PRIVATE KEY", pkcs8(testKey())), ""},
		"another algorithm":  {block("PRIVATE KEY", pkcs8(ec)), "expected RSA"},
		"public key":         {block("PUBLIC KEY", public), "holds no private key"},
		"webhook secret":     {[]byte("hunter2"), "no PEM block"},
		"empty":              {nil, "no PEM block"},
	} {
		key, err := githubapp.ParsePrivateKey(c.text)
		switch {
		case c.says == "" && (err != nil || key == nil):
			t.Errorf("%s: %v", name, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v, want %q", name, err, c.says)
		case err != nil && strings.Contains(err.Error(), "hunter2"):
			t.Errorf("%s: the error quotes the text", name)
		}
	}
}
