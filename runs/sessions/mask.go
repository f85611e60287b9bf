package sessions

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/internal/secrets"
)

// Addresses carry secrets whose values nobody has told Drover: the code of a
// login, the token of a link, the signature of a file. Their parameters have
// names that say so.

// secretParts are in the names of parameters whose values are never logged, and
// secretNames are all of one.
var (
	secretParts = []string{
		"key", "token", "secret", "passw", "pwd", "signature", "code", "auth", "cookie", "csrf", "xsrf", "session", "credential",
	}
	secretNames = []string{"sig", "sid", "pass", "jwt", "otp", "pin"}
)

func isSecretName(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	name = strings.ToLower(name)
	return slices.Contains(secretNames, name) || slices.ContainsFunc(secretParts, func(part string) bool { return strings.Contains(name, part) })
}

// masked stands for a value that is not logged.
const masked = "***"

// parameterForm is a parameter of an address, in its query or its fragment, also
// amid other text.
var parameterForm = regexp.MustCompile(`([?&#;])([^?&#;=\s"'<>]{1,200})=([^&#;\s"'<>]*)`)

// maxNesting is how deep addresses are looked for in parameters of addresses.
const maxNesting = 4

// passwordForm is the password of an address.
var passwordForm = regexp.MustCompile(`(://[^/?#:@\s"'<>]*:)[^/?#@\s"'<>]+@`)

// maskText masks the passwords and the secret parameters of all addresses in a
// text.
func maskText(text string) string {
	return maskNested(passwordForm.ReplaceAllString(text, "${1}"+masked+"@"), maxNesting)
}

func maskNested(text string, depth int) string {
	if !strings.Contains(text, "=") {
		return text
	}
	return parameterForm.ReplaceAllStringFunc(text, func(whole string) string {
		p := parameterForm.FindStringSubmatch(whole)
		switch {
		case p[3] == "":
			return whole
		case isSecretName(p[2]):
			return p[1] + p[2] + "=" + masked
		}
		return p[1] + p[2] + "=" + maskValue(p[3], depth)
	})
}

// maskValue masks what is secret in an address that is the value of a parameter
// of another one, as often as it is escaped. One that is deeper than can be
// looked at is masked whole.
func maskValue(value string, depth int) string {
	plain, err := url.QueryUnescape(value)
	if err != nil || !strings.ContainsAny(plain, "?&#;%") {
		return value
	}
	if depth == 0 {
		return masked
	}
	if clean := maskNested("?"+plain, depth-1); clean != "?"+plain {
		return url.QueryEscape(clean[1:])
	}
	if clean := maskValue(plain, depth-1); plain != value && clean != plain {
		return url.QueryEscape(clean)
	}
	return value
}

// maskParams masks what stands in the parameters of an event.
func maskParams(params json.RawMessage) json.RawMessage {
	if !bytes.ContainsAny(params, "=@") {
		return params
	}
	return secrets.MapTexts(params, maskText)
}
