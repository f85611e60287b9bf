// Package openapi holds the descriptions of the interfaces in OpenAPI 3.1.
// What is not in the specification they describe is marked with
// "x-drover-addition": true.
package openapi

import (
	_ "embed"
	"encoding/json"
	"slices"
)

//go:embed v1.json
var v1 []byte

// V1 returns the description of the first interface, an OpenAPI document in
// JSON.
func V1() json.RawMessage { return slices.Clone(v1) }
