package pdftext

import (
	"bytes"
	"math"
)

// matrix is [a b c d e f].
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// state is that of graphics, which operators save and restore.
type state struct {
	page                                      matrix
	font                                      *font
	size, leading, characters, words, stretch float64
}

func newState() state { return state{page: identity, stretch: 1} }

// content is what draws a page.
type content struct {
	*file
	out   *writer
	state state
	saved []state
	at    matrix // of the text
	line  matrix // where it began
}

// maxSaved bounds the states that are kept, maxOperands what stands before one
// operator.
const (
	maxSaved    = 200
	maxOperands = 1000
)

// run does what a stream says.
func (c *content) run(data []byte, resources dict, depth int) {
	if depth > maxDepth {
		return
	}
	l := &lexer{data: data, left: &c.left}
	var operands []any
	for n := 0; !c.out.full(); n++ {
		if n%1000 == 0 && c.ctx.Err() != nil {
			return
		}
		v := l.next(0)
		k, ok := v.(keyword)
		switch {
		case !ok:
			if len(operands) < maxOperands {
				operands = append(operands, v)
			}
			continue
		case k == end:
			return
		case k == "BI":
			skipPicture(l)
		case k == "Do":
			c.form(operands, resources, depth)
		default:
			c.do(string(k), operands, resources)
		}
		operands = operands[:0]
	}
}

// skipPicture goes behind a picture within the content.
func skipPicture(l *lexer) {
	for _, mark := range []string{"EI ", "EI\n", "EI\r"} {
		if i := bytes.Index(l.data[l.at:], []byte(mark)); i >= 0 {
			l.at += i + 2
			return
		}
	}
	l.at = len(l.data)
}

// form draws what has a stream of its own.
func (c *content) form(operands []any, resources dict, depth int) {
	if len(operands) == 0 {
		return
	}
	n, _ := operands[len(operands)-1].(name)
	s, ok := c.get(c.dict(resources["XObject"])[n]).(stream)
	if !ok || s.dict["Subtype"] != name("Form") {
		return
	}
	own := c.dict(s.dict["Resources"])
	if own == nil {
		own = resources
	}
	before, saved := c.state, c.saved
	if m, ok := matrixOf(c.array(s.dict["Matrix"])); ok {
		c.state.page = m.times(c.state.page)
	}
	c.run(c.unpack(s), own, depth+1)
	c.state, c.saved = before, saved
}

func matrixOf(all array) (m matrix, ok bool) {
	if len(all) < 6 {
		return m, false
	}
	for i := range m {
		if m[i], ok = all[i].(float64); !ok {
			return m, false
		}
	}
	return m, true
}

// numbers are the last n operands; nil where they are not numbers.
func numbers(operands []any, n int) []float64 {
	if len(operands) < n {
		return nil
	}
	out := make([]float64, n)
	for i, v := range operands[len(operands)-n:] {
		f, ok := v.(float64)
		if !ok {
			return nil
		}
		out[i] = f
	}
	return out
}

// do is one operator.
func (c *content) do(op string, operands []any, resources dict) {
	switch op {
	case "q":
		if len(c.saved) < maxSaved {
			c.saved = append(c.saved, c.state)
		}
	case "Q":
		if n := len(c.saved); n > 0 {
			c.state, c.saved = c.saved[n-1], c.saved[:n-1]
		}
	case "cm":
		if m, ok := matrixOf(operands); ok {
			c.state.page = m.times(c.state.page)
		}
	case "BT":
		c.at, c.line = identity, identity
	case "Tf":
		c.choose(operands, resources)
	case "Tc", "Tw", "Tz", "TL":
		c.set(op, operands)
	default:
		c.place(op, operands)
	}
}

func (c *content) choose(operands []any, resources dict) {
	if len(operands) < 2 {
		return
	}
	n, _ := operands[len(operands)-2].(name)
	size, _ := operands[len(operands)-1].(float64)
	if v := c.dict(resources["Font"])[n]; v != nil {
		c.state.font = c.fontOf(v)
	}
	c.state.size = size
}

func (c *content) set(op string, operands []any) {
	n := numbers(operands, 1)
	if n == nil {
		return
	}
	switch op {
	case "Tc":
		c.state.characters = n[0]
	case "Tw":
		c.state.words = n[0]
	case "Tz":
		c.state.stretch = n[0] / 100
	case "TL":
		c.state.leading = n[0]
	}
}

// place moves in the text, and writes.
func (c *content) place(op string, operands []any) {
	switch op {
	case "Td", "TD":
		if n := numbers(operands, 2); n != nil {
			if op == "TD" {
				c.state.leading = -n[1]
			}
			c.next(n[0], n[1])
		}
	case "Tm":
		if m, ok := matrixOf(operands); ok {
			c.at, c.line = m, m
		}
	case "T*":
		c.next(0, -c.state.leading)
	case "Tj":
		c.show(operands)
	case "'", `"`:
		if n := numbers(operands[:min(len(operands), 2)], 2); op == `"` && n != nil {
			c.state.words, c.state.characters = n[0], n[1]
		}
		c.next(0, -c.state.leading)
		c.show(operands)
	case "TJ":
		if n := len(operands); n > 0 {
			all, _ := operands[n-1].(array)
			c.show(all)
		}
	}
}

func (c *content) next(x, y float64) {
	c.line = matrix{1, 0, 0, 1, x, y}.times(c.line)
	c.at = c.line
}

// show writes texts; numbers between them move.
func (c *content) show(parts []any) {
	for _, part := range parts {
		switch v := part.(type) {
		case float64:
			c.forward(-v / 1000 * c.state.size * c.state.stretch)
		case text:
			c.write(v)
		}
	}
}

func (c *content) forward(x float64) { c.at = matrix{1, 0, 0, 1, x, 0}.times(c.at) }

func (c *content) write(codes text) {
	s := c.state
	if c.left -= len(codes); s.font == nil || len(codes) == 0 || c.left < 0 {
		return
	}
	said, reach := s.font.text(codes, func(code, bytes int) float64 {
		if s.size == 0 {
			return 0
		}
		extra := s.characters
		if bytes == 1 && code == ' ' {
			extra += s.words
		}
		return extra * 1000 / s.size
	})
	from := c.at.times(s.page)
	c.forward(reach / 1000 * s.size * s.stretch)
	to := c.at.times(s.page)
	height := math.Hypot(from[2], from[3]) * math.Abs(s.size)
	c.out.add(piece{said, from[4], from[5], to[4], to[5], height})
}
