package forest

import (
	"encoding/binary"
	"errors"
	"math"
)

// magic begins an encoded set of forests; its number grows with the format.
const magic = "drover-forests-1"

var errBroken = errors.New("forest: broken encoding")

// Encode writes forests so that [Decode] reads them: numbers are little-endian,
// a leaf has no children.
func Encode(forests []*Forest) []byte {
	b := []byte(magic)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(forests)))
	for _, f := range forests {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f.Base))
		b = binary.LittleEndian.AppendUint16(b, uint16(len(f.Trees)))
		for _, t := range f.Trees {
			b = binary.LittleEndian.AppendUint16(b, uint16(len(t)))
			for _, n := range t {
				b = appendNode(b, n)
			}
		}
	}
	return b
}

func appendNode(b []byte, n Node) []byte {
	b = binary.LittleEndian.AppendUint16(b, uint16(n.Feature))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(n.Value))
	if n.Feature == Leaf {
		return b
	}
	return binary.LittleEndian.AppendUint16(b, uint16(n.Right)) // the left one follows its parent
}

// Decode reads what Encode wrote, and checks that every tree can be walked.
func Decode(b []byte) (forests []*Forest, err error) {
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return nil, errBroken
	}
	d := decoder{b: b[len(magic):]}
	for range d.short() {
		f := &Forest{Base: d.float()}
		for range d.short() {
			f.Trees = append(f.Trees, d.tree())
		}
		forests = append(forests, f)
	}
	if d.broken || len(d.b) > 0 {
		return nil, errBroken
	}
	return forests, nil
}

type decoder struct {
	b      []byte
	broken bool
}

func (d *decoder) take(n int) []byte {
	if len(d.b) < n {
		d.broken, d.b = true, nil
		return make([]byte, n)
	}
	taken := d.b[:n]
	d.b = d.b[n:]
	return taken
}

func (d *decoder) short() uint16 { return binary.LittleEndian.Uint16(d.take(2)) }

func (d *decoder) float() float32 { return math.Float32frombits(binary.LittleEndian.Uint32(d.take(4))) }

func (d *decoder) tree() []Node {
	size := int(d.short())
	t := make([]Node, size)
	for i := range t {
		n := Node{Feature: int16(d.short()), Value: d.float()}
		if n.Feature != Leaf {
			n.Left, n.Right = int16(i+1), int16(d.short())
			d.broken = d.broken || n.Feature < 0 || i+1 >= size || int(n.Right) <= i || int(n.Right) >= size
		}
		t[i] = n
	}
	d.broken = d.broken || size == 0
	return t
}
