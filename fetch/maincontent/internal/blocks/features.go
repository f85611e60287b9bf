package blocks

import (
	"math"

	"golang.org/x/net/html/atom"
)

// A row is where the features of a block or page are put one after another, so
// that their number and order are said in one place each.
type row struct {
	values []float32
	names  *[]string // where they are asked for
}

func (r *row) add(name string, v float64) {
	r.values = append(r.values, float32(v))
	if r.names != nil {
		*r.names = append(*r.names, name)
	}
}

func (r *row) flag(name string, v bool) {
	if v {
		r.add(name, 1)
	} else {
		r.add(name, 0)
	}
}

// count adds a number on a scale on which twice as many is a step.
func (r *row) count(name string, n int) {
	if n = max(n, 0); n < len(logs) {
		r.add(name, logs[n])
		return
	}
	r.add(name, math.Log1p(float64(n)))
}

// logs are the logarithms that nearly all counts need.
var logs = func() (logs [1024]float64) {
	for n := range logs {
		logs[n] = math.Log1p(float64(n))
	}
	return logs
}()

// Features describes every block. What the page is as a whole is hardly among it:
// trees would learn the pages that they are grown from by it.
func (p *Page) Features() *Matrix {
	said := make([]spoken, len(p.Blocks))
	for i := range said {
		said[i] = p.listen(i)
	}
	f := featurer{Page: p, said: said, all: p.between(0, len(p.Blocks))}
	f.findTwins()
	f.findData()
	f.clear()
	m := &Matrix{Width: blockWidth}
	m.Values = roomFor(len(p.Blocks) * (m.Width + SecondWidth))
	r := row{values: m.Values}
	for i := range p.Blocks {
		f.block(&r, i)
		r.values = r.values[:len(r.values)+SecondWidth]
		p.step(m.Width / 16)
	}
	m.Values = r.values
	return m
}

// Names returns the names of the features, in order.
func (p *Page) Names() []string {
	var names []string
	r := row{names: &names}
	if len(p.Blocks) == 0 {
		return nil
	}
	f := featurer{Page: p, said: make([]spoken, len(p.Blocks))}
	f.findTwins()
	f.clear()
	f.block(&r, 0)
	return names
}

// twins are blocks of the same text.
type twins struct{ count, first int }

// findTwins finds the blocks of the same text, and counts the words that were
// said before.
func (f *featurer) findTwins() {
	p := f.Page
	same := make(map[uint64]twins, len(p.Blocks))
	f.again = make([]int32, len(p.Blocks)+1)
	for i := range p.Blocks {
		t, ok := same[p.Blocks[i].hash]
		if !ok {
			t.first = i
		}
		t.count++
		same[p.Blocks[i].hash] = t
		f.again[i+1] = f.again[i]
		if t.first < i {
			f.again[i+1] += int32(p.Blocks[i].Words)
		}
	}
	p.facts.same = same
}

// findData finds which share of the page's sentences its data say too.
func (f *featurer) findData() {
	hits, all := 0, 0
	for i, s := range f.said {
		if f.Blocks[i].isProse() {
			hits += s.inData
			all += s.words - 2
		}
	}
	f.inData = ratio(hits, all)
}

// A featurer goes over the blocks of a page in order.
type featurer struct {
	*Page
	said    []spoken
	again   []int32 // words before each block that were said before them
	inData  float64
	titles  int // blocks before that say the title
	heading int // the last heading before the block
	// above are the last headings of each level, as long as their section lasts.
	above [6]int
	// since are the last headings of some kinds.
	since [len(asides)]int
	all   sum
}

func (f *featurer) block(r *row, i int) {
	f.text(r, i)
	f.place(r, i)
	f.around(r, i)
	f.containers(r, i)
	f.regions(r, i)
	if b := &f.Blocks[i]; b.inside&inHeading != 0 {
		f.enterSection(i)
	}
}

// text is about the words of the block.
func (f *featurer) text(r *row, i int) {
	b, s := &f.Blocks[i], f.said[i]
	st, words := &b.style, int32(b.Words)
	r.count("words", b.Words)
	r.count("chars", int(st.chars))
	r.add("link density", ratio(b.LinkWords, b.Words))
	r.count("stops", int(st.stops))
	r.count("commas", int(st.commas))
	r.flag("ends sentence", st.endsSentence())
	r.add("word length", ratio(st.chars, words))
	r.add("upper", ratio(st.upper, st.chars))
	r.add("capitals", ratio(st.shouts, words))
	r.add("digits", ratio(st.digits, st.chars))
	r.add("bars", ratio(st.bar, words+1))
	r.flag("currency", st.currency > 0)
	r.flag("copyright", st.copyright > 0)
	same := f.facts.same[b.hash]
	r.count("same text", same.count-1)
	r.flag("said before", same.first < i)
	r.flag("asks", st.last == '?' || st.last == '？')
	r.flag("announces", st.last == ':' || st.last == '：')
	r.add("in data", ratio(s.inData, s.words-2))
	r.add("in summary", ratio(s.inSummary, s.words-2))
	r.add("in title", ratio(s.inTitle, s.words))
	r.add("in author", ratio(s.inAuthor, s.words))
	r.flag("names author", s.inAuthor > 1)
	r.add("page in data", f.inData)
	r.count("titles before", f.titles)
	if s.words > 2 && 5*s.inTitle >= 4*s.words {
		f.titles++
	}
	r.add("phrases", ratio(s.hits, s.words))
	for k := range phraseKinds {
		r.flag(phraseNames[k], s.kinds&(1<<k) != 0)
	}
}

// tags are the elements whose own blocks are told apart.
var tags = [...]atom.Atom{
	atom.P, atom.Li, atom.Div, atom.Td, atom.H1, atom.H2, atom.H3, atom.H4, atom.Dd, atom.Pre, atom.Figcaption, atom.Button,
}

// place is about the elements that the block stands in.
func (f *featurer) place(r *row, i int) {
	b := &f.Blocks[i]
	for k, t := range tags {
		r.flag(tagNames[k], b.tag == t)
	}
	for k := range insideKinds {
		r.flag(insideNames[k], b.inside&(1<<k) != 0)
	}
	for k := range nameKinds {
		r.add(nearNames[k], float64(min(b.near[k], 12)))
	}
	r.add("depth", float64(f.elems[b.elem].depth))
}

// around is about the blocks before and behind.
func (f *featurer) around(r *row, i int) {
	for _, d := range [...]int{-2, -1, 1, 2} {
		j := i + d
		if j < 0 || j >= len(f.Blocks) {
			r.add("near words", -1)
			r.add("near links", -1)
			r.flag("near path", false)
			r.flag("near stops", false)
			continue
		}
		n := &f.Blocks[j]
		r.count("near words", n.Words)
		r.add("near links", ratio(n.LinkWords, n.Words))
		r.flag("near path", n.path == f.Blocks[i].path)
		r.flag("near stops", n.style.endsSentence())
	}
	for _, d := range [...]int{3, 10} {
		s := f.between(max(i-d, 0), min(i+d+1, len(f.Blocks)))
		r.count("window words", int(s.words))
		r.add("window links", ratio(s.links, s.words))
		r.add("window prose", ratio(s.prose, s.words))
	}
	f.underHeading(r, i)
	r.add("index", ratio(i, len(f.Blocks)))
	r.add("words before", ratio(f.sums[i].words, f.sums[len(f.Blocks)].words))
	r.add("prose before", ratio(f.sums[i].prose, f.sums[len(f.Blocks)].prose))
	r.add("from h1", float64(clamp(i-f.facts.h1, -50, 300)))
	r.flag("has h1", f.facts.h1 >= 0)
}

func clamp(n, low, high int) int { return max(low, min(n, high)) }
