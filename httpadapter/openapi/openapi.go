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

//go:embed v1.json
var v1 []byte

// beforeServer and afterServer are what stands around the address that the
// paths of the document are below.
var beforeServer, afterServer, _ = bytes.Cut(v1, []byte(`"/"`))

// V1 returns the description of the first interface, an OpenAPI document in
// JSON, for an adapter that its host has mounted under a prefix; "" for none.
func V1(prefix string) json.RawMessage {
	server, _ := json.Marshal(cmp.Or(prefix, "/")) // of a string: it cannot fail
	return slices.Concat(beforeServer, server, afterServer)
}
