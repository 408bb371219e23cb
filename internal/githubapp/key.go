package githubapp

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/golang-jwt/jwt/v4"
)

// ParsePrivateKey reads an App's private key as GitHub hands it out (PEM,
// PKCS#1); PKCS#8 is accepted too. Errors never quote the text.
func ParsePrivateKey(text []byte) (crypto.Signer, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("private key: no PEM block; expected the .pem file that GitHub made for the App")
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("private key: PEM block %q holds no private key; expected RSA PRIVATE KEY", block.Type)
	}
	if rsaKey, ok := key.(*rsa.PrivateKey); ok {
		return rsaKey, nil
	}
	return nil, fmt.Errorf("private key: %T, expected RSA", key)
}

// jwtSigner signs with any crypto.Signer, so that the key may live in a vault;
// the jwt library itself insists on holding it.
type jwtSigner struct{ key crypto.Signer }

func (s jwtSigner) Sign(claims jwt.Claims) (string, error) {
	text, err := jwt.NewWithClaims(jwt.SigningMethodRS256, claims).SigningString()
	if err != nil {
		return "", err
	}
	digest := sha256.Sum256([]byte(text))
	sig, err := s.key.Sign(rand.Reader, digest[:], crypto.SHA256)
	if err != nil {
		return "", fmt.Errorf("sign the App's JWT: %w", err)
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(sig), nil
}
