package publish

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs/sessions/settingsjson"
)

// Manifest is what a program says of one of its functions.
type Manifest struct {
	Name string
	// Session are settings of its sessions, which were checked; nil for none.
	Session json.RawMessage
	// Params is the JSON Schema of its parameters as it was given; nil for none.
	Params json.RawMessage
}

// RefusedSettings are those of a session that a function cannot have (DECISIONS 28).
var RefusedSettings = []string{"keepAlive", "region", "projectId"}

// read reads what a program has said. Its files are a stranger's: links are none.
func (p *Publisher) read(dir string) (all []Manifest, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), manifests)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, failed(NoManifests, "what the program says of its functions cannot be read")
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || !e.Type().IsRegular() {
			continue
		}
		if len(all) == p.conf.MaxFunctions {
			return nil, failed(TooManyManifests, "the program has more than %d functions", p.conf.MaxFunctions)
		}
		m, err := p.readOne(root, name)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	if len(all) == 0 {
		return nil, failed(NoManifests, "the entry point defines no function")
	}
	slices.SortFunc(all, func(a, b Manifest) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

func (p *Publisher) readOne(root *os.Root, name string) (Manifest, error) {
	f, err := root.Open(filepath.Join(filepath.FromSlash(manifests), name+".json"))
	if err != nil {
		return Manifest{}, failed(NoManifests, "what the program says of %q cannot be read", name)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, p.conf.MaxManifest+1))
	if err != nil {
		return Manifest{}, err
	}
	if int64(len(text)) > p.conf.MaxManifest {
		return Manifest{}, failed(ManifestTooLarge, "what the program says of %q has more than %d bytes", name, p.conf.MaxManifest)
	}
	return parse(name, text)
}

// maxName is the longest name of a function in bytes.
const maxName = 255

// parse reads a manifest. Its name has to be that of its file: another one was meant
// for elsewhere.
func parse(name string, text []byte) (Manifest, error) {
	var m struct {
		Name   string `json:"name"`
		Config struct {
			Session json.RawMessage `json:"sessionConfig"`
			Params  json.RawMessage `json:"parametersSchema"`
		} `json:"config"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return Manifest{}, failed(NoManifests, "what the program says of %q is no JSON", name)
	}
	if m.Name == "" || m.Name != name || len(m.Name) > maxName {
		return Manifest{}, failed(NoManifests, "%q is no name for a function", m.Name)
	}
	out := Manifest{Name: m.Name, Session: orNil(m.Config.Session), Params: orNil(m.Config.Params)}
	if out.Session != nil {
		if _, err := settingsjson.Decode(out.Session, strictjson.Options{At: "sessionConfig"}, RefusedSettings...); err != nil {
			return Manifest{}, failed(InvalidSession, "%s: %s", m.Name, errtypes.Public(err).Message)
		}
	}
	return out, nil
}

func orNil(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}
