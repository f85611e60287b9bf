package secrets

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// TOTP makes one-time passwords by time (RFC 6238).
type TOTP struct {
	key    []byte
	secret string // as it was given, in base 32
	digits int
	period time.Duration
	hash   func() hash.Hash
}

var totpHashes = map[string]func() hash.Hash{"": sha1.New, "SHA1": sha1.New, "SHA256": sha256.New, "SHA512": sha512.New}

// minKey is less than any service gives, in bytes: what is shorter is a mistake.
const minKey = 8

// ParseTOTP reads a secret in base 32, for codes of 6 digits each 30 seconds by
// SHA-1, or an otpauth URI, which may say otherwise. Its errors follow the name
// of a field, and do not show the secret.
func ParseTOTP(text string) (*TOTP, error) {
	t := &TOTP{secret: text, digits: 6, period: 30 * time.Second, hash: sha1.New}
	if len(text) >= 8 && strings.EqualFold(text[:8], "otpauth:") {
		if err := t.readURI(text); err != nil {
			return nil, err
		}
	}
	bare := strings.ToUpper(strings.NewReplacer(" ", "", "-", "", "=", "").Replace(t.secret))
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(bare)
	if err != nil || len(key) < minKey {
		return nil, fmt.Errorf("must be a secret of at least %d bytes in base 32, or an otpauth URI with one", minKey)
	}
	t.key = key
	return t, nil
}

func (t *TOTP) readURI(text string) error {
	u, err := url.Parse(text)
	if err != nil || !strings.EqualFold(u.Host, "totp") {
		return errors.New("must be an otpauth URI of the type totp")
	}
	q := u.Query()
	t.secret = q.Get("secret")
	if t.digits, err = numberOr(q.Get("digits"), t.digits, 6, 8); err != nil {
		return fmt.Errorf("has digits that are not %w", err)
	}
	seconds, err := numberOr(q.Get("period"), 30, 15, 120)
	if err != nil {
		return fmt.Errorf("has a period that is not %w seconds", err)
	}
	t.period = time.Duration(seconds) * time.Second
	var known bool
	if t.hash, known = totpHashes[strings.ToUpper(q.Get("algorithm"))]; !known {
		return errors.New("has an algorithm that is not SHA1, SHA256 or SHA512")
	}
	return nil
}

func numberOr(text string, instead, least, most int) (int, error) {
	if text == "" {
		return instead, nil
	}
	if n, err := strconv.Atoi(text); err == nil && n >= least && n <= most {
		return n, nil
	}
	return 0, fmt.Errorf("%d to %d", least, most)
}

// at is the code of a moment.
func (t *TOTP) at(now time.Time) string {
	mac := hmac.New(t.hash, t.key)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(t.count(now))))
	sum := mac.Sum(nil)
	from := sum[len(sum)-1] & 0xf
	number, limit := binary.BigEndian.Uint32(sum[from:])&0x7fffffff, uint32(1)
	for range t.digits {
		limit *= 10
	}
	return fmt.Sprintf("%0*d", t.digits, number%limit)
}

// count is the number of the period that a moment is in.
func (t *TOTP) count(now time.Time) int64 { return now.Unix() / int64(t.period/time.Second) }

// left is how long the code of a moment is good for.
func (t *TOTP) left(now time.Time) time.Duration {
	return time.Unix((t.count(now)+1)*int64(t.period/time.Second), 0).Sub(now)
}
