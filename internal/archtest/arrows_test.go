package archtest

import (
	"strings"
	"testing"
)

const module = "github.com/drover-go/drover"

// arrow is a rule about what packages may import, with the reason that is
// shown when it is broken. Patterns are import paths; a trailing "/..." stands
// for the package and everything below it. Paths of this module are written
// without its name.
type arrow struct {
	from   string
	except []string // packages that from does not mean
	never  []string // direct or indirect, what they must not reach
	only   []string // of this module, all that they may import directly
	reason string
}

var arrows = []arrow{
	{from: "errtypes", only: []string{}, reason: "errtypes is the ground: it imports nothing of Drover"},
	{from: "storage", only: []string{"errtypes", "internal/clock", "internal/ids", "internal/telemetry", "storage/internal/statements"}, reason: "storage stands on errtypes"},
	{from: "storage/internal/statements", only: []string{}, reason: "statements of a connection are kept whoever has made them"},
	{from: "storage/...", never: []string{"agents", "runs/...", "fetch/...", "httpadapter/..."}, reason: "a domain stands on storage, not the other way round"},
	{from: "internal/...", never: []string{"agents", "runs/...", "fetch/...", "httpadapter/...", "."}, except: []string{"internal/archtest", "internal/demo/...", "internal/v1json"}, reason: "internal packages serve the domains and know none of them"},
	{from: "internal/telemetry", only: []string{}, reason: "whoever does something reports it: what is reported to stands on nothing"},
	{from: "internal/machine", only: []string{}, reason: "what the machine has is read in one place, which stands on nothing"},
	{from: "internal/osuser", only: []string{"errtypes"}, reason: "users of the system are lent whatever runs as them"},
	{from: "internal/child", only: []string{"errtypes", "internal/clock", "internal/lifecycle", "internal/machine", "internal/workdir"}, reason: "a process is ended the same way whoever has started it: child knows neither browsers nor jobs nor the database"},
	{from: "internal/admission", only: []string{"errtypes", "internal/clock", "internal/machine", "internal/telemetry"}, reason: "one ledger serves all who take memory, and knows none of them"},
	{from: "internal/v1json", only: []string{"builds", "functions", "internal/wire/api", "runs", "runs/sessions"}, reason: "objects of the first interface look the same to who asks for them and to who is told of them; domains know nothing of their JSON"},
	{from: "internal/webhooks", only: []string{"errtypes", "internal/egress"}, reason: "how a webhook is sent is told without a database, and goes through the gate"},
	{from: "agents", never: []string{"runs/...", "fetch/...", chromedp}, reason: "agents are data; runs refer to them"},
	{from: "fetch/...", never: []string{"runs/...", "agents", chromedp}, reason: "fetch declares the Renderer it needs and the root wires it"},
	{from: "storage/...", never: []string{chromedp}, reason: "storage links no browser"},
	{from: "runs/...", except: []string{"runs/browser/chrome/...", "runs/model/internal/looptest"}, never: []string{chromedp}, reason: "only runs/browser/chrome knows chromedp"},
	{from: "runs", never: []string{"fetch", "fetch/extract", "fetch/extract/internal/shape", "fetch/extract/internal/candidates"}, reason: "runs declare the Pages they need and the root wires them; what a page shows they read themselves"},
	{from: "runs/search", only: []string{"errtypes", "internal/clock", "internal/hosthttp"}, reason: "what is found is told without knowing who searches: runs bring the browser"},
	{from: "runs/internal/actions", only: []string{"runs/browser", "runs/internal/outline"}, reason: "what a page takes is told from its outline, whoever asks"},
	{from: "runs/browser/chrome/...", never: []string{"storage/...", "agents", "fetch/..."}, reason: "the browser is replaceable: it knows the interface and the gate"},
	{from: "runs/browser/chrome/internal/mux/policy", only: []string{}, reason: "what a client may say is decided by a table, whoever carries it"},
	{from: "runs/browser/chrome/internal/mux", only: []string{"errtypes", "internal/clock", "internal/lifecycle", "runs/browser", "runs/browser/chrome/internal/mux/policy"}, reason: "the connection and its clients know a session by an interface, and neither its pages nor its process"},
	{from: "runs/browser/chrome/internal/page", only: []string{"errtypes", "internal/clock", "internal/egress", "internal/weburl", "runs/browser", "runs/browser/chrome/internal/mux"}, reason: "pages know the rest of a session by an interface, and not its process"},
	{from: "runs/browser/chrome/internal/process", only: []string{"errtypes", "internal/admission", "internal/child", "internal/clock", "internal/egress", "internal/ids", "internal/lifecycle", "internal/telemetry", "internal/workdir", "runs/browser", "runs/browser/chrome/internal/mux"}, reason: "processes know a session by an interface, and neither its pages nor its clients"},
	{from: "runs/model/anthropic", only: []string{"errtypes", "internal/clock", "runs/model", "runs/model/internal/..."}, reason: "a provider knows what all share, and no other provider"},
	{from: "runs/model/gemini", only: []string{"errtypes", "internal/clock", "runs/model", "runs/model/internal/..."}, reason: "a provider knows what all share, and no other provider"},
	{from: "runs/model/internal/turns", only: []string{"runs/model"}, reason: "a conversation is arranged without knowing the provider"},
	{from: "runs/model/internal/dialect", only: []string{"errtypes", "runs/model"}, reason: "how a provider writes a schema is decided without knowing the provider"},
	{from: "httpadapter/internal/...", never: []string{"httpadapter/v1/...", "httpadapter/v2/..."}, reason: "what interfaces have in common knows none of them"},
	{from: "internal/wire/...", only: []string{"errtypes", "internal/filename", "internal/coding", "internal/strictjson", "internal/wire/...", "storage/projects"}, reason: "what interfaces over HTTP have in common knows none of them"},
	{from: "runs/actors/...", except: []string{"runs/actors/platform"}, never: []string{"internal/wire/...", "runs/actors/platform"}, reason: "runs know no wire: what answers them is given to them"},
	{from: "runs/actors/platform", only: []string{"errtypes", "internal/clock", "internal/strictjson", "internal/wire/...", "runs/actors", "schedules", "storage/records", "storage/projects", "storage/webhooks"}, reason: "the platform serves what runs may ask for, whoever lets callers in"},
	{from: "runs/sessions/settingsjson", only: []string{"errtypes", "internal/ids", "internal/strictjson", "runs/sessions"}, reason: "the reader of settings serves domains, whatever carries the JSON"},
	{from: "httpadapter/v1/...", never: []string{"httpadapter/v2/..."}, reason: "v1 and v2 never see each other"},
	{from: "httpadapter/v2/...", never: []string{"httpadapter/v1/..."}, reason: "v1 and v2 never see each other"},
	{from: ".", never: []string{"httpadapter/...", "cmd/..."}, reason: "the root wires the domains; serving them is optional"},
	{from: ".", never: []string{"github.com/openai/...", "github.com/anthropics/..."}, reason: "the root links no model provider's SDK"},
	{from: "...", except: []string{"httpadapter/otelbridge"}, never: []string{"go.opentelemetry.io/..."}, reason: "OpenTelemetry is linked by hosts that want it"},
	{from: "...", except: []string{"httpadapter/...", "cmd/...", "examples/..."}, never: []string{"httpadapter/..."}, reason: "only a command or a host imports the adapter"},
	{from: "examples/...", only: []string{".", "drovertest", "fetch", "functions", "httpadapter", "runs/...", "schedules", "storage/..."}, reason: "an example imports what a host can"},
	{from: "...", never: testOnly, reason: "what tests need never reaches a user's binary", except: []string{
		"storage/storagetest", "internal/jobs/jobstest", "internal/egress/egresstest", "storage/certificates/internal/pfx/pfxtest",
		"fetch/internal/goldentest", "fetch/internal/mdtest", "internal/npmtest", "internal/docstest", "internal/disktest", "internal/corpora", "internal/testlevel", "runs/browser/chrome/chrometest",
		"httpadapter/conformance/...", "drovertest", "runs/model/internal/providertest", "runs/model/internal/looptest", "internal/osuser/osusertest", "internal/telemetry/telemetrytest",
	}},
}

const chromedp = "github.com/chromedp/..."

// testOnly are packages that only tests may link.
var testOnly = []string{
	"testing", "go.uber.org/goleak", "github.com/google/go-cmp/...", "github.com/rogpeppe/go-internal/...",
	"github.com/getkin/kin-openapi/...", "golang.org/x/tools/...", "github.com/yuin/goldmark/...", "github.com/nlnwa/whatwg-url/...",
	"github.com/prometheus/...", "go.opentelemetry.io/otel/sdk/...",
}

func TestArrows(t *testing.T) {
	packages := load(t)
	for _, a := range arrows {
		matched := 0
		for _, p := range packages {
			if !matches(a.from, p.ImportPath) || matchesAny(a.except, p.ImportPath) {
				continue
			}
			matched++
			for _, problem := range a.broken(p) {
				t.Errorf("%s %s: %s", short(p.ImportPath), problem, a.reason)
			}
		}
		if matched == 0 && !strings.Contains(a.from, "v2") {
			t.Errorf("the rule for %q matches no package", a.from)
		}
	}
}

// broken returns what the package does against the rule.
func (a arrow) broken(p pkg) (problems []string) {
	for _, dep := range p.Deps {
		if matchesAny(a.never, dep) && dep != p.ImportPath {
			problems = append(problems, "reaches "+short(dep))
		}
	}
	if a.only == nil {
		return problems
	}
	for _, imp := range p.Imports {
		if inModule(imp) && !matchesAny(a.only, imp) {
			problems = append(problems, "imports "+short(imp))
		}
	}
	return problems
}

func TestBrokenArrowsAreFound(t *testing.T) {
	p := pkg{
		ImportPath: module + "/agents",
		Imports:    []string{module + "/runs", "fmt"},
		Deps:       []string{module + "/runs", module + "/runs/model", "github.com/chromedp/cdproto/page", "fmt"},
	}
	rule := arrow{from: "agents", never: []string{"runs/...", chromedp}, only: []string{"errtypes"}}
	if got := rule.broken(p); len(got) != 4 {
		t.Errorf("found %q, want four problems", got)
	}
	if got := (arrow{from: "agents", never: []string{"fetch/..."}, only: []string{"runs"}}).broken(p); len(got) != 0 {
		t.Errorf("found %q where nothing is wrong", got)
	}
}

func matchesAny(patterns []string, path string) bool {
	for _, p := range patterns {
		if matches(p, path) {
			return true
		}
	}
	return false
}

func matches(pattern, path string) bool {
	pattern = full(pattern)
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return path == base || strings.HasPrefix(path, base+"/")
	}
	return path == pattern
}

// full turns the short form of a path of this module into the whole.
func full(pattern string) string {
	first, _, _ := strings.Cut(pattern, "/")
	switch {
	case pattern == ".":
		return module
	case strings.Contains(first, ".") && first != "...", pattern == "testing":
		return pattern
	}
	return module + "/" + pattern
}

func inModule(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }

func short(path string) string {
	if path == module {
		return "the root"
	}
	return strings.TrimPrefix(path, module+"/")
}
