package visible

import (
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// How people and firms write where they can be reached: "Tel. 020 7946 0000",
// "E: ann@example.com".
var (
	phoneText = lexicon.Pattern(`(?i)^(?:tel(?:ephone|efon|éphone|éfono|efono|efoon|efone)?|t|p|m|ph|phone|mob(?:ile|il)?|handy|call|call us|fon)\b\s*[.:]*\s*(\+?\(?\d[\d ()./\x{A0}–-]{5,24}\d)(?:\s*(?:ext|x|durchwahl)\.?\s*\d{1,5})?$`)
	mailText  = lexicon.Pattern(`(?i)^(?:(?:e|e-?mail|mail|correo|courriel)\s*[.:]?\s*)?([a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,100}\.[a-z]{2,20})$`)
)

// contacts reads telephone numbers and addresses of mail that stand as they are.
func (r *reader) contacts() {
	for i := range r.lines {
		r.pass(i)
		l := &r.lines[i]
		if l.to-l.from > 2*maxPattern || r.nodes[l.first].is(inTable) {
			continue
		}
		for s := range segments(r.text[l.from:l.to]) {
			if len(s) > maxPattern {
				continue
			}
			if digits := countDigits(s); digits >= 7 && digits <= 20 && phoneText().MatchString(s) {
				m := phoneText().FindStringSubmatch(s)
				r.addLabelled(l.first, "telephone", m[1])
			} else if !strings.Contains(s, "@") {
				continue
			} else if m := mailText().FindStringSubmatch(lastSentence(s)); m != nil {
				if mail, ok := mention.Email(m[1]); ok {
					r.addLabelled(l.first, "email", mail)
				}
			}
		}
	}
}

// lastSentence returns what stands behind the last mark in a text that ends a
// sentence: "Questions? E: ann@example.com".
func lastSentence(s string) string {
	for at := len(s) - 2; at > 0; at-- {
		if s[at+1] == ' ' && (s[at] == '?' || s[at] == '!' || s[at] == '.' && !opensMail(s[:at])) {
			return strings.TrimSpace(s[at+1:])
		}
	}
	return s
}

// opensMail reports whether a text is an abbreviated label: "E." before an address.
func opensMail(s string) bool { return !strings.Contains(s, " ") && len(s) <= len("e-mail") }

func countDigits(s string) (n int) {
	for _, c := range s {
		if '0' <= c && c <= '9' {
			n++
		}
	}
	return n
}
