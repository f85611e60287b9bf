package plain

// credentials are what somebody who signs in calls what is asked for.
var credentials = []string{
	"username", "user", "name", "login", "account", "email", "e-mail", "mail", "address", "password", "passphrase", "passcode", "pass", "phrase", "pin", "code", "id", "number",
}

var besideCredentials = []string{"with", "using", "the", "my", "your", "and", "is", "credentials", "a", "an"}

// login reads "log in with user name "ada" and password %password%": fields are
// filled and Enter is pressed in the last.
func (p *clauseParser) login() (steps []step, why string) {
	tokens := p.tokens
	for len(tokens) > 0 {
		if tokens[0].kind == commaToken || isOneOf(tokens[0].lower(), besideCredentials) {
			tokens = tokens[1:]
			continue
		}
		s, n, why := credential(tokens)
		if why != "" {
			return nil, why
		}
		steps = append(steps, s)
		tokens = tokens[n:]
	}
	if len(steps) == 0 {
		return nil, `it does not say with what: log in with username "…" and password %…%`
	}
	steps[len(steps)-1].submit = true
	return steps, ""
}

// credential reads a label and its value, and says how many tokens they are.
func credential(tokens []token) (s step, n int, why string) {
	for n < len(tokens) && isOneOf(tokens[n].lower(), credentials) {
		n++
	}
	label := original(tokens[:n])
	if tokens[0].lower() == "as" {
		label, n = "username", 1
	}
	for n < len(tokens) && (tokens[n].kind == commaToken || isOneOf(tokens[n].lower(), []string{"is", "of"})) {
		n++
	}
	if label == "" || n == len(tokens) || !tokens[n].isValue() && tokens[n].kind != wordToken {
		return s, 0, "it does not say with what: " + original(tokens)
	}
	return typeInto(tokens[n].text, target{name: label}), n + 1, ""
}
