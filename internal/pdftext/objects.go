package pdftext

import (
	"bytes"
	"context"
	"regexp"
	"strconv"
)

// file is a document that is being read.
type file struct {
	ctx    context.Context
	data   []byte
	limits Limits

	objects  map[int]*entry
	root     any
	unpacked int // bytes so far
	searched int // bytes that were looked through for the ends of streams
	left     int // values that may still be read
	cut      bool
	fonts    map[ref]*font
}

// entry is an object: where it stands, or within what.
type entry struct {
	data  []byte
	at    int
	read  bool
	value any
}

// stream is a value with packed bytes behind it.
type stream struct {
	dict
	raw []byte
}

var (
	objectMark  = regexp.MustCompile(`(?:^|[\x00\t\n\f\r >])(\d{1,9})[\x00\t\n\f\r ]+\d{1,5}[\x00\t\n\f\r ]+obj\b`)
	trailerMark = []byte("trailer")
)

// index looks for all objects. Those that come later stand in place of earlier
// ones: that is how documents are changed.
func (f *file) index() error {
	head := f.data[:min(len(f.data), 1024)]
	if !bytes.Contains(head, []byte("%PDF-")) {
		return ErrNoPDF
	}
	var order []*entry
	for at := 0; at < len(f.data); {
		if f.ctx.Err() != nil {
			return context.Cause(f.ctx)
		}
		m := objectMark.FindSubmatchIndex(f.data[at:])
		if m == nil {
			break
		}
		n, _ := strconv.Atoi(string(f.data[at+m[2] : at+m[3]]))
		e := &entry{data: f.data, at: at + m[1]}
		if len(order) >= f.limits.Objects {
			f.cut = true
			break
		}
		f.objects[n], order = e, append(order, e)
		at += m[1]
	}
	f.packedObjects(order)
	return f.trailers(order)
}

// packedObjects indexes what is in object streams.
func (f *file) packedObjects(order []*entry) {
	for _, e := range order {
		head := e.data[e.at:min(e.at+2000, len(e.data))]
		if !bytes.Contains(head, []byte("ObjStm")) {
			continue
		}
		s, ok := f.load(e).(stream)
		if !ok || s.dict["Type"] != name("ObjStm") {
			continue
		}
		body := f.unpack(s)
		first, count := int(f.number(s.dict["First"])), int(f.number(s.dict["N"]))
		if first < 0 || first > len(body) {
			continue
		}
		l := f.lexer(body[:first], 0)
		for range min(max(count, 0), f.limits.Objects-len(f.objects)) {
			n, ok1 := l.next(0).(float64)
			offset, ok2 := l.next(0).(float64)
			if !ok1 || !ok2 || offset < 0 || first+int(offset) > len(body) {
				break
			}
			f.objects[int(n)] = &entry{data: body, at: first + int(offset)}
		}
	}
}

// maxTrailers bounds how often a document may have been changed.
const maxTrailers = 1000

// lexer reads objects.
func (f *file) lexer(data []byte, at int) *lexer {
	return &lexer{data: data, at: at, refs: true, left: &f.left}
}

// trailers find the root, and whether the document is encrypted.
func (f *file) trailers(order []*entry) error {
	note := func(d dict) error {
		if d["Encrypt"] != nil {
			return ErrEncrypted
		}
		if d["Root"] != nil {
			f.root = d["Root"]
		}
		return nil
	}
	for at, n := 0, 0; n < maxTrailers; n++ {
		i := bytes.Index(f.data[at:], trailerMark)
		if i < 0 {
			break
		}
		at += i + len(trailerMark)
		if d, ok := f.lexer(f.data[:min(len(f.data), at+10_000)], at).next(0).(dict); ok {
			if err := note(d); err != nil {
				return err
			}
		}
	}
	for _, e := range order {
		head := e.data[e.at:min(e.at+2000, len(e.data))]
		if !bytes.Contains(head, []byte("XRef")) && !(f.root == nil && bytes.Contains(head, []byte("Catalog"))) {
			continue
		}
		switch v := f.load(e).(type) {
		case stream:
			if err := note(v.dict); err != nil {
				return err
			}
		case dict:
			if v["Type"] == name("Catalog") {
				f.root = v
			}
		}
	}
	return nil
}

// load reads an object where it stands.
func (f *file) load(e *entry) any {
	if e.read {
		return e.value
	}
	if e.read = true; f.left <= 0 || f.ctx.Err() != nil { // one that refers to itself is nil meanwhile
		return nil
	}
	l := f.lexer(e.data, e.at)
	e.value = l.next(0)
	if d, ok := e.value.(dict); ok {
		if raw, ok := f.streamBehind(l, d); ok {
			e.value = stream{d, raw}
		}
	}
	if _, ok := e.value.(keyword); ok {
		e.value = nil
	}
	return e.value
}

// streamBehind finds the bytes behind a dictionary, if it is one of a stream.
func (f *file) streamBehind(l *lexer, d dict) ([]byte, bool) {
	l.skip()
	rest := l.data[l.at:]
	if !bytes.HasPrefix(rest, []byte("stream")) {
		return nil, false
	}
	rest = rest[len("stream"):]
	rest = bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("\r")), []byte("\n"))
	if n := f.number(d["Length"]); n >= 0 && int(n) <= len(rest) {
		behind := bytes.TrimLeft(rest[int(n):min(int(n)+20, len(rest))], "\r\n \t")
		if bytes.HasPrefix(behind, []byte("endstream")) {
			return rest[:int(n)], true
		}
	}
	if f.searched > maxSearched {
		return nil, true
	}
	i := bytes.Index(rest, []byte("endstream"))
	if i < 0 {
		i = len(rest)
	}
	f.searched += i
	return rest[:i], true
}

// maxSearched bounds the search for the ends of streams that do not tell, in bytes.
const maxSearched = 512 << 20

// maxHops bounds references to references.
const maxHops = 10

// get follows references.
func (f *file) get(v any) any {
	for range maxHops {
		r, ok := v.(ref)
		if !ok {
			return v
		}
		e := f.objects[int(r)]
		if e == nil {
			return nil
		}
		v = f.load(e)
	}
	return nil
}

// step counts work that reads nothing; false where no more may be done.
func (f *file) step() bool {
	f.left--
	return f.left >= 0
}

func (f *file) number(v any) float64 {
	n, ok := f.get(v).(float64)
	if !ok {
		return -1
	}
	return n
}

func (f *file) dict(v any) dict {
	switch v := f.get(v).(type) {
	case dict:
		return v
	case stream:
		return v.dict
	}
	return nil
}

func (f *file) array(v any) array {
	a, _ := f.get(v).(array)
	return a
}
