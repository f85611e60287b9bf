package sessions

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage/projects"
)

// A signing key and a view token are MACs under a secret of this database. They
// have to be shown again by whichever process is asked, so a hash would not do,
// and a random one would have to be stored; these are nowhere but in the
// answers. Each is for one session and for what opened it: the API key of the
// call that it was answered to, whose id it names behind its last dot. When
// that key is revoked they open nothing any more, while those of other keys do.
// What the host asks for by itself names no key.

// seal makes a MAC of what is said, for who has an API key.
func (s *service) seal(what, apiKey string) string {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte(what + holderMark(apiKey)))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)) + holderMark(apiKey)
}

func holderMark(apiKey string) string {
	if apiKey == "" {
		return ""
	}
	return "." + apiKey
}

// key is the signing key of a session: its id, so that the key alone finds the
// session, and a MAC of that. It opens nothing once the session has ended.
func (s *service) key(id, apiKey string) string {
	return id + "." + s.seal("connect "+id, apiKey)
}

// idIn is the id of the session that a key says it is of; empty for what is no
// key.
func idIn(key string) string {
	id, _, found := strings.Cut(key, ".")
	if !found || !ids.Valid(id) {
		return ""
	}
	return id
}

// opens reports whether key is one of the session, in constant time, and whose.
func (s *service) opens(id, key string) (apiKey string, ok bool) {
	if parts := strings.SplitN(key, ".", 3); len(parts) == 3 {
		apiKey = parts[2]
	}
	return apiKey, hmac.Equal([]byte(s.key(id, apiKey)), []byte(key))
}

// keyFor is the signing key for who calls.
func (s *service) keyFor(ctx context.Context, id string) string {
	return s.key(id, projects.KeyFrom(ctx))
}
