package extensions

import "strings"

// policies look for what browsers refuse in the policy of an extension's own
// pages: code that is not in the extension.
// https://developer.chrome.com/docs/extensions/reference/manifest/content-security-policy
func (r *review) policies(root value) {
	all := r.field(root, "content_security_policy")
	r.text(r.field(all, "sandbox"))
	pages := r.field(all, "extension_pages")
	policy := directives(r.text(pages))
	if pages.v == nil || r.err != nil {
		return
	}
	scripts, ok := policy["script-src"]
	if !ok {
		scripts, ok = policy["default-src"]
	}
	if !ok {
		r.fail(pages.at, "has neither script-src nor default-src")
	}
	for _, source := range append(scripts, policy["worker-src"]...) {
		if !safeSource(source) {
			r.fail(pages.at, "lets in code of %s: there may be only what is in the extension", quoted(source))
		}
	}
}

// directives are those of a policy. Of two with one name the first counts.
func directives(policy string) map[string][]string {
	all := map[string][]string{}
	for one := range strings.SplitSeq(policy, ";") {
		words := strings.Fields(one)
		if len(words) == 0 {
			continue
		}
		name := strings.ToLower(words[0])
		if _, twice := all[name]; !twice {
			all[name] = words[1:]
		}
	}
	return all
}

// safeSource reports whether a browser might let the source pass; it knows
// better.
func safeSource(source string) bool {
	source = strings.ToLower(source)
	for _, local := range []string{"http://localhost", "http://127.0.0.1"} {
		if rest, ok := strings.CutPrefix(source, local); ok && (rest == "" || rest[0] == ':' || rest[0] == '/') {
			return true
		}
	}
	return source != "'unsafe-eval'" && source != "'unsafe-inline'" && (strings.HasPrefix(source, "'") || !strings.ContainsAny(source, "*.:"))
}
