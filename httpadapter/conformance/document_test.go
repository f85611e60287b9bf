package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/drover-go/drover/httpadapter/openapi"
	"github.com/drover-go/drover/httpadapter/v1"
	"github.com/drover-go/drover/httpadapter/v2"
	"github.com/drover-go/drover/internal/wire/route"
)

// described is an interface as its OpenAPI document has it, and as it is served.
type described struct {
	doc *openapi3.T
	// raw is the document as it is sent.
	raw json.RawMessage
	// paths are those of the document, as the adapter finds its own.
	paths *route.Table[documented]
	// served are all routes, such as "GET /v1/agents".
	served []string
}

// documented is a path of the document, and the names of its variables.
type documented struct {
	path  string
	names []string
}

// interfaces are the documents, made strict for answers: an object of an answer
// that does not say otherwise has no members but the described ones. Clients may
// not lean on that, but a field that is sent and not described is a mistake.
var interfaces = sync.OnceValues(func() (both [2]*described, err error) {
	for i, raw := range []json.RawMessage{openapi.V1(""), openapi.V2("")} {
		if both[i], err = describe(raw); err != nil {
			return both, err
		}
	}
	for _, r := range v1.Routes() {
		both[0].served = append(both[0].served, r.Method+" "+r.Pattern)
	}
	for _, r := range v2.Routes() {
		both[1].served = append(both[1].served, r.Method+" "+r.Pattern)
	}
	return both, nil
})

func describe(raw json.RawMessage) (*described, error) {
	doc, err := openapi3.NewLoader().LoadFromData(closed(raw))
	if err != nil {
		return nil, err
	}
	d := &described{doc: doc, raw: raw, paths: &route.Table[documented]{}}
	for pattern := range doc.Paths.Map() {
		found, names := d.paths.At(pattern)
		*found = documented{pattern, names}
	}
	return d, doc.Validate(openapi3.NewLoader().Context)
}

// loadInterfaces returns the interfaces, the first one first.
func loadInterfaces(t *testing.T) [2]*described {
	t.Helper()
	both, err := interfaces()
	if err != nil {
		t.Fatalf("an OpenAPI document is not valid: %v", err)
	}
	return both
}

// interfaceOf returns the interface that a path belongs to.
func interfaceOf(t *testing.T, path string) *described {
	t.Helper()
	both := loadInterfaces(t)
	if strings.HasPrefix(path, "/v2/") {
		return both[1]
	}
	return both[0]
}

// closed adds additionalProperties: false to every object schema that lists
// its properties and says nothing about others. Those of requests that ignore
// others are left alone.
func closed(raw json.RawMessage) []byte {
	var doc any
	if err := json.Unmarshal(raw, &doc); err != nil {
		panic(err)
	}
	schemas := doc.(map[string]any)["components"].(map[string]any)["schemas"].(map[string]any)
	for name, s := range schemas {
		if name != "FetchRequest" && name != "Proxy" {
			closeSchema(s)
		}
	}
	out, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	return out
}

func closeSchema(v any) {
	switch v := v.(type) {
	case map[string]any:
		_, lists := v["properties"].(map[string]any)
		if _, says := v["additionalProperties"]; lists && !says {
			v["additionalProperties"] = false
		}
		for _, inner := range v {
			closeSchema(inner)
		}
	case []any:
		for _, inner := range v {
			closeSchema(inner)
		}
	}
}

func TestDocumentIsValid(t *testing.T) {
	t.Parallel()
	for _, d := range loadInterfaces(t) {
		if !d.doc.IsOpenAPI31OrLater() {
			t.Errorf("version %s", d.doc.OpenAPI)
		}
	}
}

// The routes and the document say the same, both ways.
func TestDocumentHasEveryRouteAndNoOther(t *testing.T) {
	t.Parallel()
	for _, d := range loadInterfaces(t) {
		described := operations(d.doc)
		for _, op := range described {
			if !slices.Contains(d.served, op) {
				t.Errorf("%s is described and not served", op)
			}
		}
		for _, route := range d.served {
			if !slices.Contains(described, route) {
				t.Errorf("%s is served and not described", route)
			}
		}
	}
}

// What is not in the specification says so.
func TestAdditionsAreMarked(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"/paths/~1healthz/get", "/paths/~1v1~1openapi.json/get", "/components/securitySchemes/hostedKey",
		"/components/headers/RequestId", "/components/schemas/FetchRequest/properties/onlyMainContent",
		"/paths/~1v1~1sessions~1{sessionId}~1downloads/get", "/paths/~1v1~1sessions~1{sessionId}~1downloads/delete",
		"/paths/~1v1~1downloads~1{downloadId}/get/responses/206", "/paths/~1v1~1downloads~1{downloadId}/get/responses/304",
		"/components/responses/PreconditionFailed", "/components/responses/RangeNotSatisfiable",
		"/paths/~1v1~1certificates/post/requestBody/content/multipart~1form-data/schema/properties/password",
		"/components/schemas/FetchRequest/properties/caCertificates", "/components/schemas/FetchRequest/properties/clientCertificates",
		"/paths/~1v1~1agents~1runs~1{runId}~1messages~1stream/get",
		"/paths/~1v1~1agents~1runs~1{runId}~1pause/post", "/paths/~1v1~1agents~1runs~1{runId}~1resume/post",
		"/components/schemas/AgentRun/properties/usage", "/components/schemas/RunCreate/properties/model", "/components/schemas/Variable/properties/origins",
		"/paths/~1v1~1functions~1builds/post", "/paths/~1v1~1functions~1{functionId}~1versions/get", "/paths/~1v1~1functions~1{functionId}~1rollback/post",
		"/paths/~1v1~1functions~1{functionId}/delete", "/paths/~1v1~1functions~1invocations~1{invocationId}~1cancel/post", "/components/parameters/idempotencyKey",
		"/paths/~1v1~1sessions/post", "/paths/~1v1~1sessions~1{sessionId}~1connect/get",
		"/paths/~1v2~1users~1me/get", "/paths/~1v2~1openapi.json/get", "/paths/~1v2~1datasets/post", "/paths/~1v2~1actors/get",
		"/paths/~1v2~1schedules/get", "/paths/~1v2~1schedules~1{scheduleId}~1slots/get", "/paths/~1v2~1schedules~1{scheduleId}~1next/get",
		"/paths/~1v2~1webhooks/post", "/paths/~1v2~1webhook-dispatches~1{dispatchId}~1redeliver/post",
	} {
		var at any
		if err := json.Unmarshal(additionsOf(t, path), &at); err != nil {
			t.Fatal(err)
		}
		for _, name := range strings.Split(path, "/")[1:] {
			at = at.(map[string]any)[strings.ReplaceAll(name, "~1", "/")]
		}
		if at.(map[string]any)["x-drover-addition"] != true {
			t.Errorf("%s is not marked", path)
		}
	}
}

// additionsOf is the document that a place is in; that of the first interface for
// what both have.
func additionsOf(t *testing.T, place string) json.RawMessage {
	if strings.HasPrefix(place, "/paths/~1v2~1") {
		return loadInterfaces(t)[1].raw
	}
	return loadInterfaces(t)[0].raw
}

func operations(doc *openapi3.T) (all []string) {
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			all = append(all, method+" "+path)
		}
	}
	return all
}

// An answer of the document that no conversation has is one that nobody has
// checked.
func TestEveryOperationIsPlayed(t *testing.T) {
	t.Parallel()
	played := map[string]bool{}
	for _, path := range scripts(t) {
		for _, st := range load(t, path).steps {
			if st.wait == "" {
				status, _, _ := strings.Cut(string(st.response.Data), "\n")
				if route := findRoute(t, readRequest(t, complete(st.request))); route != nil {
					played[route.Method+" "+route.Path+" "+status] = true
				}
			}
		}
	}
	for _, d := range loadInterfaces(t) {
		for path, item := range d.doc.Paths.Map() {
			for method, op := range item.Operations() {
				for status := range op.Responses.Map() {
					if key := method + " " + path + " " + status; !played[key] && !playedElsewhere[status] && !playedBySessions[key] {
						t.Errorf("no conversation has %s", key)
					}
				}
			}
		}
	}
}

// playedElsewhere are the answers that not every route has a conversation for:
// a slow body takes time (TestSlowRequestsOverASocket), a fault has to be put
// in (TestPanic in v1), and bodies that are too large and services that are
// down are the same everywhere (limits.txtar, fetch-closed.txtar).
var playedElsewhere = map[string]bool{"408": true, "413": true, "500": true, "503": true}

// playedBySessions are answers that are no conversation: websockets, pages
// with a policy of their own, what is no handshake, and more clients and files than a session takes.
// The tests of package sessions have them.
var playedBySessions = map[string]bool{
	"GET /v1/sessions/{sessionId}/connect 400": true, "GET /v1/sessions/{sessionId}/connect 426": true, // TestWhatIsNoHandshake
	"GET /v1/sessions/{sessionId}/live/socket 400": true, "GET /v1/sessions/{sessionId}/live/socket 426": true,
	"GET /v1/sessions/{sessionId}/connect 101": true, "GET /v1/sessions/{sessionId}/connect 429": true,
	"GET /v1/sessions/{sessionId}/live 200": true, "GET /v1/sessions/{sessionId}/live/socket 101": true, "GET /v1/sessions/{sessionId}/live/socket 429": true,
	"GET /v1/sessions/{sessionId}/replay 200": true, "GET /v1/sessions/{sessionId}/recording/downloads/{pageId} 200": true, "POST /v1/sessions/{sessionId}/uploads 429": true,
	"GET /v1/agents/runs/{runId}/messages/stream 429": true, // TestStreamsAreLimited
	"POST /v1/functions/builds 429":                   true, // TestAFewBuildsWait in package functions
}

// findRoute returns the operation that a request is for; nil for none.
func findRoute(t *testing.T, r *http.Request) *routers.Route {
	doc := interfaceOf(t, r.URL.Path).doc
	path, _ := match(t, r)
	item := doc.Paths.Value(path)
	if item == nil {
		return nil
	}
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if other := strings.ToUpper(r.URL.Query().Get("method")); slices.Contains([]string{"POST", "PUT", "DELETE"}, other) && method == http.MethodGet {
		method = other // as v2 has it
	}
	op := item.GetOperation(method)
	if op == nil {
		return nil
	}
	return &routers.Route{Spec: doc, Path: path, PathItem: item, Method: method, Operation: op}
}

// match finds the path of the document, and the values of its variables.
func match(t *testing.T, r *http.Request) (path string, values map[string]string) {
	t.Helper()
	values = map[string]string{}
	escaped := otherNames(r.URL.EscapedPath())
	found, all := interfaceOf(t, r.URL.Path).paths.Find(escaped)
	if found == nil {
		return "", values
	}
	for i, name := range found.names {
		values[name] = all[i]
	}
	return found.path, values
}

var (
	lastRunForm  = regexp.MustCompile(`^/v2/(?:actors|actor-tasks)/[^/]+/runs/last/`)
	olderForm    = regexp.MustCompile(`^/v2/actors/[^/]+/(runs|builds)/([^/]+)(/|$)`)
	runStoreForm = regexp.MustCompile(`^/v2/actor-runs/([^/]+)/(dataset|key-value-store|request-queue)(/|$)`)
)

// otherNames is the path that the document has for one that does the same in v2:
// below the older name of Actors, below a last run, below the Actor of a run or a build,
// and in a store of a run.
func otherNames(path string) string {
	if below, older := strings.CutPrefix(path, "/v2/acts"); older && (below == "" || below[0] == '/') {
		path = "/v2/actors" + below
	}
	path = lastRunForm.ReplaceAllString(path, "/v2/actor-runs/last/")
	if found := olderForm.FindStringSubmatch(path); found != nil && found[2] != "last" && found[2] != "default" {
		path = olderForm.ReplaceAllString(path, "/v2/actor-$1/$2$3")
	}
	return runStoreForm.ReplaceAllString(path, "/v2/${2}s/$1$3")
}

func readRequest(t *testing.T, raw string) *http.Request {
	t.Helper()
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
	if err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	return r
}

// checkAgainstDocument holds an exchange against the document: the answer
// always, the request where it was accepted.
func checkAgainstDocument(t *testing.T, name, raw string, res *http.Response, body []byte) {
	t.Helper()
	r := readRequest(t, raw)
	route := findRoute(t, r)
	if route == nil {
		checkErrorBody(t, name, interfaceOf(t, r.URL.Path).doc, r, res, body)
		return
	}
	_, values := match(t, r)
	r.URL.RawQuery = asDescribed(r.URL.Query()).Encode()
	in := &openapi3filter.RequestValidationInput{
		Request: r, PathParams: values, Route: route,
		Options: &openapi3filter.Options{
			IncludeResponseStatus: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, SkipSettingDefaults: true,
		},
	}
	if res.StatusCode < 300 {
		if err := openapi3filter.ValidateRequest(t.Context(), in); err != nil {
			t.Errorf("%s: a request that was accepted is not in the document: %v", name, err)
		}
	}
	if r.Method == http.MethodHead {
		return
	}
	err := openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: res.StatusCode, Header: res.Header, Options: in.Options,
		Body: io.NopCloser(bytes.NewReader(body)),
	})
	if err != nil {
		t.Errorf("%s: the answer is not in the document: %v", name, err)
	}
}

// asDescribed leaves out what a schema cannot say of a query: an empty
// parameter counts as absent, and with all the limit is anything (DECISIONS 14).
func asDescribed(q url.Values) url.Values {
	if q.Get("all") == "true" {
		q.Del("limit")
	}
	maps.DeleteFunc(q, func(_ string, values []string) bool { return slices.Equal(values, []string{""}) })
	return q
}

// checkErrorBody is for answers about what the document does not have: unknown
// paths and methods.
func checkErrorBody(t *testing.T, name string, doc *openapi3.T, r *http.Request, res *http.Response, body []byte) {
	t.Helper()
	if len(body) == 0 && (r.Method == http.MethodHead || r.Method == http.MethodOptions) {
		return
	}
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Errorf("%s: the answer is not JSON: %v", name, err)
		return
	}
	schema := doc.Components.Schemas["Error"].Value
	if err := schema.VisitJSON(v, openapi3.EnableJSONSchema2020()); err != nil || res.StatusCode < 400 {
		t.Errorf("%s: %d is not an error of the document: %v", name, res.StatusCode, err)
	}
}

// The check is worth something only if it finds what is wrong.
func TestCheckAgainstDocumentFinds(t *testing.T) {
	t.Parallel()
	const good = `{"agentId":"01999999-0000-7000-8000-00000000000a","name":"x","createdAt":"2026-01-31T23:59:59.999Z","updatedAt":"2026-01-31T23:59:59.999Z"}`
	schema := loadInterfaces(t)[0].doc.Components.Schemas["Agent"].Value
	check := func(raw string) error {
		var v any
		if err := json.Unmarshal([]byte(raw), &v); err != nil {
			t.Fatal(err)
		}
		return schema.VisitJSON(v, openapi3.EnableJSONSchema2020())
	}
	if err := check(good); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{
		strings.Replace(good, `"name":"x",`, "", 1),
		strings.Replace(good, `"x"`, `null`, 1),
		strings.Replace(good, `"x"`, `""`, 1),
		strings.Replace(good, `{`, `{"more":1,`, 1),
	} {
		if check(bad) == nil {
			t.Errorf("accepted %s", bad)
		}
	}
}
