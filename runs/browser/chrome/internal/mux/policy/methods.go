package policy

import (
	_ "embed"
	"strings"
	"sync"
)

// methodList names the commands of the protocol, one a line, those of former
// browsers among them. The test TestKnownMethods holds it against the installed
// browser, and adds what is missing when it runs with -update.
//
//go:embed methods.txt
var methodList string

var methods = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for method := range strings.FieldsSeq(methodList) {
		known[method] = true
	}
	return known
})

// Known reports whether the protocol has a command of the name, whatever becomes
// of it here.
func Known(method string) bool { return methods()[method] }
