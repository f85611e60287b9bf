package runs

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// pointerNames are names for JSON Pointers that every provider takes for members
// of an object.
type pointerNames struct {
	names    map[string]string // by pointer
	pointers map[string]string // by name
}

// maxPointerName is the longest such name, in bytes.
const maxPointerName = 56

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_]+`)

func namesFor(pointers []string) pointerNames {
	p := pointerNames{names: map[string]string{}, pointers: map[string]string{}}
	for _, pointer := range pointers {
		base := strings.Trim(notInNames.ReplaceAllString(pointer, "_"), "_")
		if base = base[:min(len(base), maxPointerName)]; base == "" {
			base = "value"
		}
		name := base
		for n := 2; p.has(name); n++ {
			name = fmt.Sprintf("%s_%d", base, n)
		}
		p.names[pointer], p.pointers[name] = name, pointer
	}
	return p
}

func (p pointerNames) has(name string) bool {
	_, ok := p.pointers[name]
	return ok
}

// rename gives the properties of a schema their names.
func (p pointerNames) rename(schema json.RawMessage) (json.RawMessage, error) {
	var root, properties map[string]json.RawMessage
	if err := json.Unmarshal(schema, &root); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(root["properties"], &properties); err != nil {
		return nil, err
	}
	renamed := map[string]json.RawMessage{}
	for pointer, part := range properties {
		renamed[p.names[pointer]] = part
	}
	var err error
	if root["properties"], err = json.Marshal(renamed); err != nil {
		return nil, err
	}
	return json.Marshal(root)
}

// back gives the members of an answer their pointers again.
func (p pointerNames) back(answer json.RawMessage) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(answer, &members); err != nil {
		return nil, err
	}
	pointed := map[string]json.RawMessage{}
	for name, value := range members {
		pointed[p.pointers[name]] = value
	}
	return json.Marshal(pointed)
}
