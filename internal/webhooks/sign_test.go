package webhooks

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/npmtest"
)

// The library of Standard Webhooks verifies what is signed, with each of two secrets.
func TestSignaturesAreVerifiedByAnother(t *testing.T) {
	t.Parallel()
	dir := npmtest.Dir(t, "testdata/npm")
	type message struct {
		Secret  string            `json:"secret"`
		Headers map[string]string `json:"headers"`
		Body    string            `json:"body"`
	}
	now, one, two, other := time.Now(), NewSecret(), NewSecret(), NewSecret()
	body := `{"id":"m1","type":"functions.builds.completed","resourceId":"b","data":{"text":"ä€"}}`
	headers := map[string]string{
		"webhook-id": "m1", "webhook-timestamp": strconv.FormatInt(now.Unix(), 10), "webhook-signature": Sign([]string{two, one}, "m1", now, []byte(body)),
	}
	var said []string
	node(t, dir, "verify.js", []message{{one, headers, body}, {two, headers, body}, {other, headers, body}, {one, headers, body + " "}}, &said)
	for i, want := range []string{"{", "{", "refused", "refused"} {
		if !strings.HasPrefix(said[i], want) {
			t.Errorf("%d: %s, want %s", i, said[i], want)
		}
	}
	if one == two || !strings.HasPrefix(one, "whsec_") {
		t.Error(one)
	}
}

func TestRetries(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		Retries
		times       int
		least, most time.Duration // in all
	}{
		"standard":      {Retries{Standard: true}, 7, 27*time.Hour + 35*time.Minute, 27*time.Hour + 36*time.Minute},
		"platform":      {Retries{}, 11, 34 * time.Hour * 3 / 4, 35 * time.Hour * 5 / 4},
		"test":          {Retries{Test: true}, 3, 5 * time.Minute, 9 * time.Minute},
		"standard test": {Retries{Standard: true, Test: true}, 3, 35 * time.Minute, 36 * time.Minute},
		"none":          {Retries{None: true}, 0, 0, 0},
	} {
		var total time.Duration
		times := 0
		for {
			rest, more := c.After(times + 1)
			if !more {
				break
			}
			times++
			if rest > c.Longest(times) || rest <= 0 {
				t.Errorf("%s: %v after %d", name, rest, times)
			}
			total += rest
		}
		if times != c.times || total < c.least || total > c.most {
			t.Errorf("%s: %d times in %v", name, times, total)
		}
	}
}
