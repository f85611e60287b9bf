package extensions

import "slices"

// checkReferences wants what the manifest names to be there and to be written as
// browsers read it: they would load nothing of the extension, or not the part,
// and would say so only when a session begins. What depends on the version of
// the browser is left to it.
//
// The facts are those of https://developer.chrome.com/docs/extensions/reference/manifest.
func (m manifest) checkReferences(files *names) error {
	r := &review{files: files}
	root := value{"", m.all}
	for _, check := range []func(value){r.kinds, r.contentScripts, r.background, r.icons, r.pages, r.hosts, r.resources, r.rules, r.policies} {
		if check(root); r.err != nil {
			return r.err
		}
	}
	r.file(r.field(r.field(root, "storage"), "managed_schema"))
	return r.err
}

// kinds looks at members of which only the kind is checked here.
func (r *review) kinds(root value) {
	for _, key := range []string{"description", "short_name", "version_name", "minimum_chrome_version", "homepage_url", "update_url"} {
		r.text(r.field(root, key))
	}
	for _, key := range []string{"commands", "omnibox"} {
		r.object(r.field(root, key))
	}
}

func (r *review) contentScripts(root value) {
	for _, script := range r.list(r.field(root, "content_scripts")) {
		if script.v == nil {
			r.fail(script.at, "is not an object")
		}
		matches, js, css := r.field(script, "matches"), r.field(script, "js"), r.field(script, "css")
		if len(r.list(matches)) == 0 {
			r.fail(matches.at, "is not a list of one match pattern or more")
		}
		r.patterns(matches, pageSchemes)
		r.patterns(r.field(script, "exclude_matches"), pageSchemes)
		if len(r.list(js))+len(r.list(css)) == 0 {
			r.fail(script.at, "has neither js nor css")
		}
		r.fileList(js)
		r.fileList(css)
		r.oneOf(r.field(script, "run_at"), "document_start", "document_end", "document_idle")
	}
}

func (r *review) oneOf(v value, all ...string) {
	if s := r.text(v); v.v != nil && !slices.Contains(all, s) {
		r.fail(v.at, "is %s, which there is not", quoted(s))
	}
}

func (r *review) background(root value) {
	background := r.field(root, "background")
	r.file(r.field(background, "service_worker"))
	r.oneOf(r.field(background, "type"), "classic", "module")
}

func (r *review) icons(root value) {
	for _, icon := range r.fields(r.field(root, "icons")) {
		r.file(icon)
	}
	icon := r.field(r.field(root, "action"), "default_icon")
	if _, one := icon.v.(string); one {
		r.file(icon)
		return
	}
	for _, size := range r.fields(icon) {
		r.file(size)
	}
}

// pages are those that the browser opens. One that is empty stands for none.
func (r *review) pages(root value) {
	all := []value{
		r.field(r.field(root, "action"), "default_popup"),
		r.field(root, "options_page"), r.field(r.field(root, "options_ui"), "page"),
		r.field(root, "devtools_page"), r.field(r.field(root, "side_panel"), "default_path"),
	}
	for _, page := range append(all, r.fields(r.field(root, "chrome_url_overrides"))...) {
		if page.v != "" {
			r.file(page)
		}
	}
}

func (r *review) hosts(root value) {
	r.patterns(r.field(root, "host_permissions"), nil)
	r.patterns(r.field(root, "optional_host_permissions"), nil)
	r.patterns(r.field(r.field(root, "externally_connectable"), "matches"), nil)
}

// resources may be named that are not there, as those of another build are:
// browsers load the extension all the same.
func (r *review) resources(root value) {
	for _, some := range r.list(r.field(root, "web_accessible_resources")) {
		for _, file := range r.list(r.field(some, "resources")) {
			r.text(file)
		}
		r.patterns(r.field(some, "matches"), nil)
	}
}

func (r *review) rules(root value) {
	for _, set := range r.list(r.field(r.field(root, "declarative_net_request"), "rule_resources")) {
		r.file(r.field(set, "path"))
	}
}
