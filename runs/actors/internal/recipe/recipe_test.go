package recipe

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
)

// source are files as text: a line "-- name --" begins one.
func source(text string) fs.FS {
	files := fstest.MapFS{}
	var name string
	for line := range strings.Lines(text) {
		if named, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok {
			name = strings.TrimSuffix(named, " --")
			files[name] = &fstest.MapFile{}
			continue
		}
		if name != "" {
			files[name].Data = append(files[name].Data, line...)
		}
	}
	return files
}

// typescript is what the template of an Actor in TypeScript has.
const typescript = `-- .actor/Dockerfile --
# comment
FROM apify/actor-node:20 AS builder
RUN npm ls crawlee apify puppeteer playwright
COPY --chown=myuser package*.json ./
RUN npm install --include=dev --audit=false
COPY --chown=myuser . ./
RUN npm run build

FROM apify/actor-node:20
COPY --chown=myuser package*.json ./
RUN npm --quiet set progress=false \
    # inside
    && npm install --omit=dev --omit=optional \
    && echo "Installed NPM packages:" \
    && (npm list --omit=dev --all || true) \
    && rm -r ~/.npm
COPY --from=builder --chown=myuser /usr/src/app/dist ./dist
COPY --chown=myuser . ./
ENV CRAWLEE_LOG="a b" NODE_ENV=production
CMD ["npm", "run", "start:prod", "--silent"]
-- .actor/actor.json --
{"actorSpecification":1,"name":"a","version":"0.1","input":"./input_schema.json","storages":{"dataset":"./dataset.json"}}
-- .actor/input_schema.json --
{"title":"T","type":"object","schemaVersion":1,"properties":{"q":{"title":"Q","type":"string","description":"d","editor":"textfield"}}}
-- .actor/dataset.json --
{"actorSpecification":1}
-- package.json --
{"scripts":{"build":"tsc","start":"npm run start:dev","start:prod":"node dist/main.js","start:dev":"tsx src/main.ts"}}
-- README.md --
Read me
`

func TestAnActorInTypeScript(t *testing.T) {
	t.Parallel()
	r, err := Read(source(typescript))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.InputSchema, `"schemaVersion": 1`) || r.Readme != "Read me\n" || !strings.Contains(string(r.Definition), `"dataset":{"actorSpecification":1}`) || !strings.Contains(string(r.Definition), `"editor":"textfield"`) {
		t.Errorf("%s %s", r.InputSchema, r.Definition)
	}
	r.InputSchema, r.Readme, r.Definition = "", "", nil
	want := Recipe{
		Package: true, Scripts: []string{"build"}, Omit: []string{"dev", "optional"}, Start: []string{"node", "dist/main.js"}, Dir: ".",
		Env: []string{"CRAWLEE_LOG=a b", "NODE_ENV=production"},
		Notes: []string{
			".actor/Dockerfile, line 2: the image apify/actor-node:20 is not used: the Node.js of this host runs the Actor",
			".actor/Dockerfile, line 9: the image apify/actor-node:20 is not used: the Node.js of this host runs the Actor",
		},
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
}

func TestHowActorsAreStarted(t *testing.T) {
	t.Parallel()
	const pack = "-- package.json --\n"
	for name, c := range map[string]struct {
		files string
		start string // the words, separated by bars
		dir   string
	}{
		"a script":               {files: pack + `{"scripts":{"start":"node src/main.js --x=1"},"main":"other.js"}`, start: "node|src/main.js|--x=1"},
		"a script for a shell":   {files: pack + `{"scripts":{"start":"A=1 node src/main.js | cat"}}`, start: "/bin/sh|-c|A=1 node src/main.js | cat"},
		"a program of a package": {files: pack + `{"scripts":{"start":"tsx src/main.ts"}}`, start: "/bin/sh|-c|exec tsx src/main.ts"},
		"a script with a hook":   {files: pack + `{"scripts":{"start":"node a.js","prestart":"node b.js"}}`, start: "npm|start"},
		"a script of its own":    {files: pack + `{"scripts":{"start":"npm start"}}`, start: "npm|start"},
		"a main":                 {files: pack + `{"main":"./lib/x.js"}`, start: "node|lib/x.js"},
		"main.js":                {files: "-- main.js --\n", start: "node|main.js"},
		"a CMD for a shell":      {files: "-- Dockerfile --\nFROM x\nCMD npm run go --silent\n" + pack + `{"scripts":{"go":"node go.js"}}`, start: "node|go.js"},
		"a screen":               {files: "-- Dockerfile --\nFROM x\nCMD ./start_xvfb_and_run_cmd.sh && npm start --silent\n" + pack + `{"scripts":{"start":"node x.js"}}`, start: "node|x.js"},
		"an ENTRYPOINT":          {files: "-- Dockerfile --\nFROM x\nWORKDIR /app\nWORKDIR sub\nCMD [\"no\"]\nENTRYPOINT [\"node\"]\nCMD [\"a.js\"]\n", start: "node|a.js", dir: "sub"},
		"a stage on another":     {files: "-- Dockerfile --\nARG V=1\nFROM x:$V AS base\nCMD [\"node\",\"base.js\"]\nFROM base\nWORKDIR /usr/src/app/in\n", start: "node|base.js", dir: "in"},
		"out of the root":        {files: "-- Dockerfile --\nFROM x\nWORKDIR ../..\nCMD [\"node\",\"a.js\"]\n", start: "node|a.js"},
		"an unknown script":      {files: "-- Dockerfile --\nFROM x\nCMD [\"npm\",\"run\",\"none\"]\n", start: "npm|run|none"},
	} {
		r, err := Read(source(c.files))
		if c.dir == "" {
			c.dir = "."
		}
		if got := strings.Join(r.Start, "|"); err != nil || got != c.start || r.Dir != c.dir {
			t.Errorf("%s: %s in %s, %v", name, got, r.Dir, err)
		}
	}
}

// What is not done is said, each line of it.
func TestWhatADockerfileAsksBeyond(t *testing.T) {
	t.Parallel()
	r, err := Read(source(`-- Dockerfile --
FROM --platform=linux/amd64 x
RUN --mount=type=cache,target=/c apt-get update && npm ci --omit=dev; npm install -g pnpm
RUN npx playwright install
RUN ["npm", "run", "compile"]
RUN npm run none
COPY src/ ./
COPY a.txt /etc/a.txt
COPY . /elsewhere
COPY ["src", "src"]
ADD https://host/x /x
RUN <<EOF
apt-get install -y evil
EOF
HEALTHCHECK NONE
USER root
EXPOSE 80
WORKDIR /usr/src/app
-- package.json --
{"scripts":{"start":"node x.js","compile":"true"}}
-- src/x.js --
-- a.txt --
`))
	if err != nil {
		t.Fatal(err)
	}
	const left = "not done here, for there are no containers: "
	want := []string{
		"Dockerfile, line 1: the image x is not used: the Node.js of this host runs the Actor",
		"Dockerfile, line 2: " + left + "RUN apt-get update", "Dockerfile, line 2: " + left + "RUN npm install -g pnpm",
		"Dockerfile, line 3: " + left + "RUN npx playwright install",
		"Dockerfile, line 6: " + left + "COPY src/ ./", "Dockerfile, line 7: " + left + "COPY a.txt /etc/a.txt", "Dockerfile, line 8: " + left + "COPY . /elsewhere",
		"Dockerfile, line 10: " + left + "ADD https://host/x /x", "Dockerfile, line 11: " + left + "RUN <<EOF", "Dockerfile, line 14: " + left + "HEALTHCHECK NONE",
		"Left out of the Dockerfile: npm run none, which package.json does not have",
	}
	got := r.Notes[1:] // of what the Actor says of itself
	if diff := cmp.Diff(want, got); diff != "" || strings.Join(r.Scripts, " ") != "compile" || strings.Join(r.Omit, " ") != "dev" {
		t.Errorf("%v %v %s", r.Scripts, r.Omit, diff)
	}
}

func TestSourcesThatCannotBeBuilt(t *testing.T) {
	t.Parallel()
	field := func(text string) string {
		return "-- INPUT_SCHEMA.json --\n" + `{"title":"T","type":"object","schemaVersion":1,"properties":{"q":` + text + "}}"
	}
	for words, files := range map[string]string{
		".actor/actor.json is not a valid JSON object":                                                      "-- .actor/actor.json --\n{",
		"package.json must be a JSON object":                                                                "-- package.json --\nnull",
		"the input schema, ../../etc/passwd, is not in the source":                                          "-- .actor/actor.json --\n" + `{"input":"../../etc/passwd"}`,
		"the Dockerfile, ./D, is not in the source":                                                         "-- .actor/actor.json --\n" + `{"dockerfile":"./D"}`,
		"the input of actor.json must be a schema":                                                          "-- .actor/actor.json --\n" + `{"input":3}`,
		"Input schema is not valid (Field schema.properties.q.editor is required)":                          field(`{"title":"Q","type":"string","description":"d"}`),
		"(Field schema.properties.q.title is required)":                                                     field(`{"type":"integer","description":"d"}`),
		"(Field schema.properties.q.type must be equal to one of the allowed values":                        field(`{"title":"Q","type":"text","description":"d"}`),
		"(Field schema.schemaVersion must be equal":                                                         "-- INPUT_SCHEMA.json --\n" + `{"title":"T","type":"object","properties":{}}`,
		"(Field schema.required.0 must name a property":                                                     "-- INPUT_SCHEMA.json --\n" + `{"title":"T","type":"object","schemaVersion":1,"properties":{},"required":["x"]}`,
		"(Field schema.properties.q.editor must be equal to one of the allowed values: \"json\", \"proxy\"": field(`{"title":"Q","type":"object","description":"d","editor":"textfield"}`),
		"(Field schema.properties.q.patternKey is deprecated and":                                           field(`{"title":"Q","type":"object","description":"d","editor":"json","patternKey":"^a"}`),
		"(Field schema.properties.q.default must be integer)":                                               field(`{"title":"Q","type":"integer","description":"d","default":1.5}`),
		"(Field schema.properties.q.enum must NOT have fewer than 1 items)":                                 field(`{"title":"Q","type":"string","description":"d","enum":[]}`),
		"(Field schema.properties.q.nullable must be boolean)":                                              field(`{"title":"Q","type":"integer","description":"d","nullable":"yes"}`),
		"(Field schema.properties.q.title must be string)":                                                  field(`{"title":5,"type":"integer","description":"d"}`),
		"(Field schema.properties.q.isSecret is for":                                                        field(`{"title":"Q","type":"integer","description":"d","isSecret":true}`),
		"(Field schema.properties.q.default is not allowed":                                                 field(`{"title":"Q","type":"string","description":"d","editor":"textfield","isSecret":true,"default":"x"}`),
		"(Field schema.properties.q.k.title is required)":                                                   field(`{"title":"Q","type":"object","description":"d","editor":"json","properties":{"k":{"type":"integer"}}}`),
		"Dockerfile has no FROM":                                                                            "-- Dockerfile --\nRUN x\n",
		"there is nothing to start":                                                                         "-- README.md --\n",
		"the source is in Python":                                                                           "-- requirements.txt --\n",
		"README.md must be at most":                                                                         "-- README.md --\n" + strings.Repeat("x", maxFile+1),
		"README.md must be valid UTF-8":                                                                     "-- README.md --\n\xff",
		"the input schema must be at most":                                                                  field(`{"title":"Q","type":"integer","description":"` + strings.Repeat("x", maxInputSchema) + `"}`),
	} {
		if _, err := Read(source(files)); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: %v", words, err)
		}
	}
}

// TestInputSchemasThatAreTaken holds what the hosted service's package takes.
func TestInputSchemasThatAreTaken(t *testing.T) {
	t.Parallel()
	for _, field := range []string{
		`"type":"string","editor":"datepicker"`, `"type":"string","enum":["a"]`, `"type":"string","resourceType":"dataset"`, `"type":"string","resourceType":"dataset","editor":"resourcePicker"`,
		`"type":"string","editor":"textfield","isSecret":true,"prefill":"x"`, `"type":"object","editor":"json","isSecret":true`, `"type":"array","editor":"requestListSources"`, `"type":"array","editor":"globs","default":[]`,
		`"type":["string","integer"],"editor":"json","default":1`, `"type":"integer","nullable":true,"default":null`, `"type":"number","editor":"number","default":1.5`, `"type":"boolean","editor":"checkbox","default":false`,
		`"type":"object","editor":"schemaBased","properties":{"k":{"title":"K","description":"d","type":"string"}}`,
	} {
		schema := `{"title":"T","type":"object","schemaVersion":1,"properties":{"q":{"title":"Q","description":"d",` + field + "}}}"
		if _, err := Read(source("-- main.js --\n-- INPUT_SCHEMA.json --\n" + schema)); err != nil {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestTheNewerNamesOfSchemas(t *testing.T) {
	t.Parallel()
	r, err := Read(source("-- main.js --\n-- .actor/in.json --\n" + `{"title":"T","type":"object","schemaVersion":1,"properties":{}}` + "\n-- .actor/actor.json --\n" + `{"inputSchema":"./in.json","outputSchema":{"properties":{}}}`))
	if err != nil || !strings.Contains(r.InputSchema, `"schemaVersion": 1`) || !strings.Contains(string(r.Definition), `"output":{"properties":{}}`) {
		t.Errorf("%s %s %v", r.InputSchema, r.Definition, err)
	}
}

func FuzzDockerfile(f *testing.F) {
	f.Add(typescript)
	f.Add("-- Dockerfile --\nFROM x\nRUN <<EOF\n\\\nENV a=\"b\nCMD [\"a\"")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Read(source("-- Dockerfile --\n" + text))
		if err == nil && (len(r.Start) == 0 || r.Dir == "" || strings.HasPrefix(r.Dir, "..")) {
			t.Errorf("%+v", r)
		}
	})
}
