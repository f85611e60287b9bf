package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// free are values that go into a page as they are: they may be anything.
var free = byMethod(map[string]bool{
	"Runtime.callFunctionOn.arguments": true, "Runtime.callFunctionOn.serializationOptions": true, "Runtime.evaluate.serializationOptions": true,
	"Debugger.setVariableValue.newValue": true, "WebMCP.invokeTool.input": true,
})

// spansOf are the spans of one command each, and those of all under "".
var spansOf = byMethod(spans)

// byMethod sorts rows by the method before the name, so that no key has to be
// put together for a look-up.
func byMethod[T any](table map[string]T) map[string]map[string]T {
	sorted := map[string]map[string]T{}
	for key, row := range table {
		dot := strings.LastIndex(key, ".")
		method, name := key[:max(dot, 0)], key[dot+1:]
		if sorted[method] == nil {
			sorted[method] = map[string]T{}
		}
		sorted[method][name] = row
	}
	return sorted
}

// checkNumbers holds every number among the parameters against its span, and
// every list against its length. They are valid JSON, of bounded depth.
func checkNumbers(method string, params []byte) error {
	if !bytes.ContainsAny(params, "0123456789") && len(params) < maxItems {
		return nil
	}
	s := scan{rest: params, spans: spansOf[method], free: free[method]}
	return s.value(nil)
}

// A scan goes through valid JSON once. It makes nothing of what it passes: large
// frames have millions of values.
type scan struct {
	rest  []byte
	spans map[string]span // of the command alone
	free  map[string]bool
}

// next is the first byte of the next token.
func (s *scan) next() byte {
	n := 0
	for n < len(s.rest) && s.rest[n] <= ' ' {
		n++
	}
	if s.rest = s.rest[n:]; len(s.rest) == 0 {
		return 0
	}
	return s.rest[0]
}

// take goes past so many bytes, which it returns.
func (s *scan) take(n int) []byte {
	taken := s.rest[:n]
	s.rest = s.rest[n:]
	return taken
}

// value goes past the next value, which is that of the name.
func (s *scan) value(name []byte) error {
	switch first := s.next(); {
	case first == '[':
		return s.list(name)
	case first == '{':
		return s.object()
	case first == '-' || first >= '0' && first <= '9':
		return s.check(name, s.take(numberLen(s.rest)))
	case first != 0:
		s.take(valueLen(s.rest))
	}
	return nil
}

func (s *scan) list(name []byte) error {
	s.take(1)
	n, texts := 0, true
	for ; s.next() != ']'; n++ {
		texts = texts && s.rest[0] == '"'
		if err := s.value(name); err != nil {
			return err
		}
		if s.next() == ',' {
			s.take(1)
		}
	}
	s.take(1)
	limit := maxItems
	if texts || longLists[string(name)] {
		limit = maxTexts
	}
	if n > limit {
		return fmt.Errorf("%s has %d items; it may have %d", name, n, limit)
	}
	return nil
}

func (s *scan) object() error {
	s.take(1)
	for s.next() != '}' {
		name := keyOf(s.take(stringLen(s.rest)))
		s.next()
		s.take(1) // the colon
		if s.free[string(name)] {
			s.next()
			s.take(valueLen(s.rest))
		} else if err := s.value(name); err != nil {
			return err
		}
		if s.next() == ',' {
			s.take(1)
		}
	}
	s.take(1)
	return nil
}

// keyOf is the name in a JSON string, which is a part of it where nothing is
// escaped.
func keyOf(quoted []byte) []byte {
	name := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(name, '\\') < 0 {
		return name
	}
	var plain string
	_ = json.Unmarshal(quoted, &plain) // it is valid
	return []byte(plain)
}

func (s *scan) check(name, text []byte) error {
	in := s.spanOf(name)
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil || n < in.min || n > in.max {
		return fmt.Errorf("%s must be between %v and %v", name, in.min, in.max)
	}
	return nil
}

func (s *scan) spanOf(name []byte) span {
	if in, ok := s.spans[string(name)]; ok {
		return in
	}
	if in, ok := spansOf[""][string(name)]; ok {
		return in
	}
	return signed
}

// numberLen is the length of the number that b begins with.
func numberLen(b []byte) int {
	n := 1
	for n < len(b) && (b[n] >= '0' && b[n] <= '9' || b[n] == '.' || b[n]|0x20 == 'e' || b[n] == '+' || b[n] == '-') {
		n++
	}
	return n
}
