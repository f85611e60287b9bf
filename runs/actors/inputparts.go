package actors

import (
	"bytes"
	"encoding/json"
	"slices"
)

// part is a part of an input schema: an object with its properties, an array with its
// items, or a value.
type part struct {
	property property
	// properties are in the order of the schema, in which what is wrong is told.
	properties []namedPart
	items      *part
	// fills says that something below has a default.
	fills bool
}

type namedPart struct {
	name string
	*part
}

func partOf(p property) *part {
	out := &part{property: p}
	var parts map[string]property
	if json.Unmarshal(p["properties"], &parts) == nil {
		for _, name := range membersOf(p["properties"]) {
			out.properties = append(out.properties, namedPart{name, partOf(parts[name])})
		}
	}
	var items property
	if json.Unmarshal(p["items"], &items) == nil && items != nil {
		out.items = partOf(items)
	}
	out.fills = out.items != nil && out.items.fills || slices.ContainsFunc(out.properties, func(n namedPart) bool {
		return n.property["default"] != nil || n.fills
	})
	return out
}

// secret are the properties that are sealed.
func (s *inputSchema) secret() (names []string) {
	for _, n := range s.root.properties {
		if string(n.property["isSecret"]) == "true" {
			names = append(names, n.name)
		}
	}
	return names
}

// of is the part of a property; nil for one that the schema does not have.
func (p *part) of(name string) *part {
	if at := p.index(name); at >= 0 {
		return p.properties[at].part
	}
	return nil
}

// index is the place of a property among the others; -1 for none.
func (p *part) index(name string) int {
	return slices.IndexFunc(p.properties, func(n namedPart) bool { return n.name == name })
}

// membersOf are the names of an object's members in their order, each once.
func membersOf(object json.RawMessage) (names []string) {
	d := json.NewDecoder(bytes.NewReader(object))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil
	}
	seen := map[string]bool{}
	for d.More() {
		name, err := d.Token()
		text, ok := name.(string)
		var value json.RawMessage
		if err != nil || !ok || d.Decode(&value) != nil {
			return names
		}
		if !seen[text] {
			names = append(names, text)
		}
		seen[text] = true
	}
	return names
}

// fill returns a value with the defaults of what is not there. Those of an object come
// before those of its properties.
func (p *part) fill(value json.RawMessage) (json.RawMessage, error) {
	if !p.fills {
		return value, nil
	}
	switch first(value) {
	case '{':
		return p.fillObject(value)
	case '[':
		return p.fillItems(value)
	}
	return value, nil
}

func (p *part) fillObject(value json.RawMessage) (json.RawMessage, error) {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(value, &members); err != nil {
		return nil, err
	}
	changed := false
	for _, n := range p.properties {
		was, there := members[n.name]
		if !there {
			was = n.property["default"]
		}
		if was == nil {
			continue
		}
		now, err := n.fill(was)
		if err != nil {
			return nil, err
		}
		if !there || !bytes.Equal(was, now) {
			members[n.name], changed = now, true
		}
	}
	if !changed {
		return value, nil
	}
	return encode(members)
}

func (p *part) fillItems(value json.RawMessage) (json.RawMessage, error) {
	var items []json.RawMessage
	if p.items == nil || !p.items.fills {
		return value, nil
	}
	if err := json.Unmarshal(value, &items); err != nil {
		return nil, err
	}
	changed := false
	for i, was := range items {
		now, err := p.items.fill(was)
		if err != nil {
			return nil, err
		}
		changed = changed || !bytes.Equal(was, now)
		items[i] = now
	}
	if !changed {
		return value, nil
	}
	return encode(items)
}

// first is the byte that a JSON value begins with.
func first(value []byte) byte {
	if value = bytes.TrimLeft(value, " \t\r\n"); len(value) > 0 {
		return value[0]
	}
	return 0
}
