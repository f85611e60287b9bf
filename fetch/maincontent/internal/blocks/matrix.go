package blocks

import "sync"

// A Matrix holds a row of features for each block, one after the other. Each
// row has room for those of [Page.Second] at its end.
type Matrix struct {
	Width  int // without the room
	Values []float32
}

// First returns the features of a block without those of the second kind.
func (m *Matrix) First(i int) []float32 {
	at := i * (m.Width + SecondWidth)
	return m.Values[at : at+m.Width]
}

// Whole returns all features of a block.
func (m *Matrix) Whole(i int) []float32 {
	at := i * (m.Width + SecondWidth)
	return m.Values[at : at+m.Width+SecondWidth]
}

// spare are the values of matrices that are no longer used: they are most of
// what judging a page takes.
var spare sync.Pool

// mostSpare is the length above which values are not kept: 4 MB.
const mostSpare = 1 << 20

func roomFor(n int) []float32 {
	if v, ok := spare.Get().(*[]float32); ok && cap(*v) >= n {
		return (*v)[:0]
	}
	return make([]float32, 0, n)
}

// Free ends the use of a matrix.
func (m *Matrix) Free() {
	if v := m.Values; cap(v) <= mostSpare {
		spare.Put(&v)
	}
	m.Values = nil
}
