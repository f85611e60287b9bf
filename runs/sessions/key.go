package sessions

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
)

// key is the signing key of a session: a MAC of its id under a secret of this
// database. It has to be shown again for as long as the session runs, by
// whichever process is asked, so a hash would not do, and a random one would
// have to be stored; this one is nowhere but in the answers. It opens nothing
// once the session has ended.
func (s *service) key(id string) string {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte("connect " + id))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// opens reports whether key is the one of the session, in constant time.
func (s *service) opens(id, key string) bool {
	return hmac.Equal([]byte(s.key(id)), []byte(key))
}
