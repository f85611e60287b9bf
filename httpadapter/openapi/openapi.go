// Package openapi holds the descriptions of the interfaces in OpenAPI 3.1.
// What is not in the specification they describe is marked with
// "x-drover-addition": true.
package openapi

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"slices"
)

var (
	//go:embed v1.json
	v1 []byte
	//go:embed v2.json
	v2 []byte
)

// V1 returns the description of the first interface, an OpenAPI document in
// JSON, for an adapter that its host has mounted under a prefix; "" for none.
func V1(prefix string) json.RawMessage { return below(prefix, v1) }

// V2 is [V1] for the second interface.
func V2(prefix string) json.RawMessage { return below(prefix, v2) }

// below puts the prefix where the address of the server stands, which is the first
// "/" of a document.
func below(prefix string, document []byte) json.RawMessage {
	before, after, _ := bytes.Cut(document, []byte(`"/"`))
	server, _ := json.Marshal(cmp.Or(prefix, "/")) // of a string: it cannot fail
	return slices.Concat(before, server, after)
}
