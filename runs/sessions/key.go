package sessions

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"github.com/drover-go/drover/internal/ids"
)

// key is the signing key of a session: its id, so that the key alone finds the
// session, and a MAC of that under a secret of this database. It has to be shown again for as long as the session runs, by
// whichever process is asked, so a hash would not do, and a random one would
// have to be stored; this one is nowhere but in the answers. It opens nothing
// once the session has ended.
func (s *service) key(id string) string {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte("connect " + id))
	return id + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
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

// opens reports whether key is the one of the session, in constant time.
func (s *service) opens(id, key string) bool {
	return hmac.Equal([]byte(s.key(id)), []byte(key))
}
