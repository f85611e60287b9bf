package suite

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/drover-go/drover/errtypes"
)

// folder is a suite of files by name.
func folder(files map[string]string) fstest.MapFS {
	fs := fstest.MapFS{}
	for name, text := range files {
		fs[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fs
}

func TestLoadReadsTasksOfTheFileAndOfOthers(t *testing.T) {
	t.Parallel()
	s, err := Load(folder(map[string]string{
		"suite.json": `{"title":"S","maxSteps":9,"time":"30s","tasks":[{"id":"a","page":"/x.html?n=1","task":"do","maxSteps":3,"tags":["red"]},"more/*.json"]}`,
		"x.html":     "", "more/b.html": "", "more/b.json": `{"task":"do","expect":{"n":1,"all":["x"]}}`,
	}))
	if err != nil {
		t.Fatal(err)
	}
	a, b := s.Tasks[0], s.Tasks[1]
	if a.Page != "x.html?n=1" || a.MaxSteps != 3 || a.Time.String() != "30s" || b.ID != "b" || b.Page != "more/b.html" || b.MaxSteps != 9 {
		t.Errorf("%+v\n%+v", a, b)
	}
	if !json.Valid(b.ResultSchema) || !strings.Contains(string(b.ResultSchema), `"n":{"type":"number"}`) {
		t.Errorf("schema %s", b.ResultSchema)
	}
	for pattern, want := range map[string]int{"": 2, "a": 1, "red": 1, "b*,red": 2, "x": 0} {
		if got := s.Only(pattern); len(got) != want {
			t.Errorf("%q: %d tasks", pattern, len(got))
		}
	}
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for want, files := range map[string]map[string]string{
		"suite.json cannot be read":        {},
		"suite.json has no tasks":          {"suite.json": `{}`},
		`unknown field "taks"`:             {"suite.json": `{"taks":[]}`},
		`tasks[0] means no file: "*.task"`: {"suite.json": `{"tasks":["*.task"]}`},
		"a.page is no file":                {"suite.json": `{"tasks":[{"id":"a","task":"do"}]}`},
		"a.task must not be empty":         {"suite.json": `{"tasks":[{"id":"a"}]}`, "a.html": ""},
		"a is the id of two tasks":         {"suite.json": `{"tasks":[{"id":"a","task":"do"},{"id":"a","task":"do"}]}`, "a.html": ""},
		"a task without an id":             {"suite.json": `{"tasks":[{"task":"do"}]}`},
		"a.solution[0] must have either":   {"suite.json": `{"tasks":[{"id":"a","task":"do","solution":[{"ref":"x"}]}]}`, "a.html": ""},
		"adapter.script is no file":        {"suite.json": `{"adapter":{"script":"a.js"},"tasks":[{"id":"a"}]}`, "a.html": ""},
		`invalid duration "soon"`:          {"suite.json": `{"tasks":[{"id":"a","task":"do","time":"soon"}]}`, "a.html": ""},
	} {
		if _, err := Load(folder(files)); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestAnswersAreComparedByWhatTheySay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		expect, answer string
		same           bool
	}{
		{`4`, `4`, true}, {`4`, `4.0`, true}, {`4`, `"4 boats"`, true}, {`1250.5`, `"€1,250.50"`, true}, {`4`, `"4 of 5"`, false}, {`4`, `5`, false}, {`4`, `null`, false},
		{`"Elida"`, `" elida. "`, true}, {`"Elida"`, `"Elida II"`, false}, {`"7719"`, `7719`, true}, {`true`, `"True"`, true}, {`true`, `false`, false},
		{`["a","b"]`, `["A","b"]`, true}, {`["a","b"]`, `["b","a"]`, false}, {`["a"]`, `["a","b"]`, false}, {`["a"]`, `"a"`, false},
		{`{"n":1}`, `{"n":"1","more":2}`, true}, {`{"n":1}`, `{"m":1}`, false}, {`{"n":1}`, `1`, false},
		{`3`, `{"result":3}`, true}, {`3`, `{"result":3,"x":3}`, false}, {`3`, ``, false},
	} {
		if got := same(json.RawMessage(c.expect), json.RawMessage(c.answer)); got != c.same {
			t.Errorf("%s and %s: %v", c.expect, c.answer, got)
		}
	}
}
