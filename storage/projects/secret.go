package projects

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"strings"
	"unicode"

	"github.com/drover-go/drover/errtypes"
)

// secretMark begins every key that the service makes, so that a leaked one is
// recognised by people and scanners.
const secretMark = "drover_"

// newSecret returns a key of 130 random bits.
func newSecret() string { return secretMark + strings.ToLower(rand.Text()) }

// maxSecret is in bytes. A header has to carry it.
const maxSecret = 1024

func validateSecret(secret string) error {
	unprintable := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }
	switch {
	case secret == "":
		return errtypes.Field("key", "must not be empty")
	case len(secret) > maxSecret:
		return errtypes.Field("key", "must be at most %d bytes", maxSecret)
	case strings.ContainsFunc(secret, unprintable):
		return errtypes.Field("key", "must not contain spaces or control characters")
	}
	return nil
}

// hash is what is stored of a secret. The secrets made here are random enough
// that a slow hash would protect nothing and cost every request.
func hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// lookupLen is how much of a hash finds the row. The rest is compared in
// constant time.
const lookupLen = 8

func sameHash(a, b []byte) bool { return subtle.ConstantTimeCompare(a, b) == 1 }

// prefix is what may be shown of a secret: little of one that somebody chose.
func prefix(secret string) string {
	if strings.HasPrefix(secret, secretMark) {
		return secret[:min(len(secret), len(secretMark)+4)]
	}
	runes := []rune(secret)
	return string(runes[:min(4, len(runes)/4)])
}
