package webhooks

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// secretMark begins a secret (Standard Webhooks).
const secretMark = "whsec_"

// NewSecret is 32 random bytes as "whsec_…" in base64.
func NewSecret() string {
	key := make([]byte, 32)
	rand.Read(key) // never fails since Go 1.24
	return secretMark + base64.StdEncoding.EncodeToString(key)
}

// Sign is the header webhook-signature of a message that is sent now: one signature of
// each secret, with a space between.
func Sign(secrets []string, id string, now time.Time, body []byte) string {
	var all []string
	for _, s := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(s, secretMark))
		if err != nil {
			continue
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + strconv.FormatInt(now.Unix(), 10) + "."))
		mac.Write(body)
		all = append(all, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	return strings.Join(all, " ")
}
