package conformance

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// mask replaces what differs from time to time by words, and back.
type mask struct {
	words  map[string]string // by value
	values map[string]string // by word
	counts map[string]int
	// times are hidden, because they are the machine's.
	times bool
}

func newMask(fixed map[string]string, times bool) *mask {
	m := &mask{words: map[string]string{}, values: map[string]string{}, counts: map[string]int{}, times: times}
	for word, value := range fixed {
		m.words[value], m.values[word] = word, value
	}
	return m
}

// word returns what stands for a value, the same every time.
func (m *mask) word(kind, value string) string {
	if w, ok := m.words[value]; ok {
		return w
	}
	m.counts[kind]++
	w := fmt.Sprintf("<%s:%d>", kind, m.counts[kind])
	m.words[value], m.values[w] = w, value
	return w
}

var (
	idForm     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	dateForm   = regexp.MustCompile(`[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT`)
	timeForm   = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`)
	pageForm   = regexp.MustCompile(`page ([0-9a-f]{12})\]`)
	cursorForm = regexp.MustCompile(`"(nextCursor|cursor)": "([^"]*)"`)
	// secretForm is what signatures are made with, signatureForm one of them.
	secretForm = regexp.MustCompile(`("urlSigningSecretKey": ")([0-9A-Za-z]+)`)
	// webhookSecretForm is what webhooks are signed with.
	webhookSecretForm = regexp.MustCompile(`("secret": "whsec_)([0-9A-Za-z+/=]+)`)
	signatureForm     = regexp.MustCompile(`([?&]signature=)([0-9A-Za-z_-]+)`)
	// recordForm is an id of v2, which ownerId is one of.
	recordForm = regexp.MustCompile(`"(?:id|[a-zA-Z]+Id)": "([A-Za-z0-9]{17})"`)
	ownerForm  = regexp.MustCompile(`"ownerId": "([A-Za-z0-9]{17})"`)
	// overTLS makes URLs of answers over HTTP/2 those of the others.
	overTLS = strings.NewReplacer("https://drover.test/", "http://drover.test/", "wss://drover.test/", "ws://drover.test/")
	// viewForm is a view token in a query.
	viewForm = regexp.MustCompile(`(viewToken=)([a-z0-9]+(?:-i)?\.[A-Za-z0-9_-]{43}(?:\.[0-9a-f-]{36})?)`)
	// signingForm is a signing key, in a field or in a query.
	signingForm = regexp.MustCompile(`(signingKey(?:": "|=))([0-9a-f-]{36}\.[A-Za-z0-9_-]{43}(?:\.[0-9a-f-]{36})?)`)
	// keyForm is a public key, whose line breaks are those of a JSON string.
	keyForm = regexp.MustCompile(`-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\\]+-----END PUBLIC KEY-----`)
	// browserForm is a version of the browser and its parts.
	browserForm = regexp.MustCompile(`(Chrome/|"V8-Version": "|"WebKit-Version": "537\.36 \()[0-9a-f.@]+`)
	// callerForm is where a run was asked for from, which differs with the transport.
	callerForm = regexp.MustCompile(`,\s*"(?:clientIp|userAgent)": "[^"]*"`)
	// durationForm is how long a run has been executed.
	durationForm = regexp.MustCompile(`("(?:durationMillis|runTimeSecs|computeUnits|ACTOR_COMPUTE_UNITS)": )[0-9.e-]+`)
	stampForm    = regexp.MustCompile(`"timestamp": \d+`)
	tabForm      = regexp.MustCompile(`\b[0-9A-F]{32}\b`)
	wordForm     = regexp.MustCompile(`<[a-z-]+(:\d+)?>`)
)

// hide puts words for values.
func (m *mask) hide(text string) string {
	for value, word := range m.words {
		if !strings.Contains(word, ":") { // a fixed one
			text = strings.ReplaceAll(text, value, word)
		}
	}
	text = signingForm.ReplaceAllStringFunc(text, func(s string) string {
		parts := signingForm.FindStringSubmatch(s)
		return parts[1] + m.word("signing", parts[2])
	})
	for kind, form := range map[string]*regexp.Regexp{"secret": secretForm, "webhook-secret": webhookSecretForm, "signature": signatureForm} {
		text = form.ReplaceAllStringFunc(text, func(s string) string {
			parts := form.FindStringSubmatch(s)
			return parts[1] + m.word(kind, parts[2])
		})
	}
	text = browserForm.ReplaceAllString(text, "${1}<version>")
	text = callerForm.ReplaceAllString(text, "")
	text = durationForm.ReplaceAllString(text, "${1}<number>")
	text = overTLS.Replace(text)
	text = ownerForm.ReplaceAllStringFunc(text, func(s string) string {
		return `"ownerId": "` + m.word("owner", ownerForm.FindStringSubmatch(s)[1]) + `"`
	})
	text = m.hideRecords(text)
	text = keyForm.ReplaceAllStringFunc(text, func(s string) string { return m.word("public-key", s) })
	text = viewForm.ReplaceAllStringFunc(text, func(s string) string {
		parts := viewForm.FindStringSubmatch(s)
		return parts[1] + m.word("view", parts[2])
	})
	text = tabForm.ReplaceAllStringFunc(text, func(s string) string { return m.word("tab", s) })
	text = cursorForm.ReplaceAllStringFunc(text, func(s string) string {
		parts := cursorForm.FindStringSubmatch(s)
		return `"` + parts[1] + `": "` + m.word("cursor", parts[2]) + `"`
	})
	text = pageForm.ReplaceAllStringFunc(text, func(s string) string {
		return "page " + m.word("page", pageForm.FindStringSubmatch(s)[1]) + "]"
	})
	text = idForm.ReplaceAllStringFunc(text, func(s string) string { return m.word("id", s) })
	text = dateForm.ReplaceAllString(text, "<date>")
	if m.times {
		text = timeForm.ReplaceAllString(text, "<time>")
		text = stampForm.ReplaceAllString(text, `"timestamp": <number>`)
	}
	return text
}

// hideRecords puts words for ids of v2, wherever they stand once a field has had
// them: nothing in their form tells them from a word of 17 letters.
func (m *mask) hideRecords(text string) string {
	for _, found := range recordForm.FindAllStringSubmatch(text, -1) {
		m.word("record", found[1])
	}
	for value, word := range m.words {
		if strings.HasPrefix(word, "<record:") {
			text = strings.ReplaceAll(text, value, word)
		}
	}
	return text
}

// fill puts values for words.
func (m *mask) fill(t *testing.T, text string) string {
	t.Helper()
	return wordForm.ReplaceAllStringFunc(text, func(w string) string {
		v, ok := m.values[w]
		switch {
		case ok:
			return v
		case strings.Contains(w, ":"):
			t.Errorf("the file says %s, which nothing stands for yet", w)
		}
		return w // a tag of HTML
	})
}

func TestMask(t *testing.T) {
	t.Parallel()
	const a, b = "01999999-0000-7000-8000-00000000000a", "01999999-0000-7000-8000-00000000000b"
	m := newMask(map[string]string{"<site>": "http://127.0.0.1:1"}, true)
	got := m.hide(b + " " + a + " " + b + ` "nextCursor": "xyz" [page 0123456789ab] 2026-01-31T23:59:59.999Z http://127.0.0.1:1/x`)
	if want := `<id:1> <id:2> <id:1> "nextCursor": "<cursor:1>" [page <page:1>] <time> <site>/x`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := m.fill(t, "<id:2> <cursor:1> <site> <b>"); got != a+" xyz http://127.0.0.1:1 <b>" {
		t.Error(got)
	}
}
