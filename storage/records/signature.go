package records

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

const (
	// digestDigits is how much of the hexadecimal digest a signature is made of.
	digestDigits = 30
	base62       = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	// signatureVersion begins what a signature with an expiry says.
	signatureVersion = "0"
)

// sign is the beginning of an HMAC-SHA256 as a number in base 62.
func sign(secret, message string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(message))
	n, _ := new(big.Int).SetString(hex.EncodeToString(mac.Sum(nil))[:digestDigits], 16)
	var digits []byte
	base, digit := big.NewInt(int64(len(base62))), new(big.Int)
	for n.Sign() > 0 {
		n.DivMod(n, base, digit)
		digits = append(digits, base62[digit.Int64()])
	}
	for i, j := 0, len(digits)-1; i < j; i, j = i+1, j-1 {
		digits[i], digits[j] = digits[j], digits[i]
	}
	return string(digits)
}

// SignRecord is the signature with which anybody may read the record with that
// key of a store with that signing secret. It does not expire.
func SignRecord(secret, key string) string { return sign(secret, key) }

// SignStore is the signature with which anybody may list the keys or items of a
// store with that signing secret, until expires; the zero time for ever.
func SignStore(secret, id string, expires time.Time) string {
	ms := strconv.FormatInt(storage.Millis(expires), 10)
	return base64.RawURLEncoding.EncodeToString([]byte(signatureVersion + "." + ms + "." + signStore(secret, ms, id)))
}

func signStore(secret, ms, id string) string {
	return sign(secret, fmt.Sprintf("%s.%s.%s", signatureVersion, ms, id))
}

// goodForStore reports whether a signature is one of SignStore that has not
// expired.
func goodForStore(signature, secret, id string, now time.Time) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(strings.TrimRight(signature, "="))
	if err != nil || strings.ContainsAny(signature, "\r\n") { // which the decoder skips
		return false
	}
	version, rest, _ := strings.Cut(string(raw), ".")
	ms, mac, _ := strings.Cut(rest, ".")
	expires, err := strconv.ParseInt(ms, 10, 64)
	if err != nil || version != signatureVersion || !hmac.Equal([]byte(mac), []byte(signStore(secret, ms, id))) {
		return false
	}
	return expires == 0 || now.UnixMilli() < expires
}

// secretOf is the signing secret of a store. It follows from the id and a key of
// the database, so that none is stored.
func (s *service) secretOf(id string) string { return sign(string(s.signing), "store "+id) }

func (s *service) Signed(ctx context.Context, kind Kind, store, key, signature string) (_ context.Context, err error) {
	defer errtypes.Wrap(&err, "records.Signed(%q)", store)
	id, err := s.idOf(ctx, kind, store)
	if err != nil && !errtypes.Is(err, errtypes.NotFound) {
		return nil, err
	}
	good := key != "" && kind == KeyValueStore && hmac.Equal([]byte(signature), []byte(SignRecord(s.secretOf(id), key))) ||
		key == "" && kind != RequestQueue && goodForStore(signature, s.secretOf(id), id, s.conf.Clock.Now())
	if !good || err != nil {
		return nil, errtypes.OfType(errtypes.TypeInvalidSignature, "the signature is wrong or has expired")
	}
	owner, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (string, error) {
		return findOwner(ctx, q, kind, id)
	})
	if err != nil {
		return nil, err
	}
	p, err := s.conf.Projects.Get(ctx, owner)
	return projects.With(ctx, p), err
}

// idOf is the id of a store, which is named by it, or after its owner. Error kind
// NotFound where a name is nobody's.
func (s *service) idOf(ctx context.Context, kind Kind, store string) (string, error) {
	owner, _, byName := strings.Cut(store, "~")
	if !byName {
		return store, nil
	}
	p, err := s.conf.Projects.Get(ctx, owner)
	if err != nil {
		return "", err
	}
	r, err := refOf(p, kind, store)
	if err != nil {
		return "", err
	}
	st, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (row, error) { return findStore(ctx, q, r) })
	return st.ID, err
}
