package blocks

// SecondWidth is how many features [Page.Second] adds.
const SecondWidth = 48 + PageTypes

// PageTypes is how many types of pages there are.
const PageTypes = 7

// blockWidth is how many features a block has of its own.
const blockWidth = 248

// Second adds to each row what a first guess says of the page, of the blocks
// around its own and of those that are made like it: one paragraph in doubt goes
// with the other paragraphs of its path. sure is how sure the guess is of each
// type of page.
func (p *Page) Second(m *Matrix, guess, sure []float32) {
	s := newSmoother(p, guess)
	s.types = sure
	for i := range p.Blocks {
		r := row{values: m.Whole(i)[:m.Width]} // it is written into the room
		s.block(&r, i)
		p.step(1)
	}
}

// SecondNames returns the names of the features that Second adds.
func (p *Page) SecondNames() []string {
	var names []string
	s := newSmoother(p, make([]float32, len(p.Blocks)))
	s.types = make([]float32, PageTypes)
	s.block(&row{names: &names}, 0)
	return names
}

// A smoother means guesses over blocks, each as heavy as its words.
type smoother struct {
	*Page
	guess  []float32
	surest float32
	before []float64 // guessed words before each block
	paths  map[uint64]mean
	// above are the means of the blocks whose element, one and two up, is
	// reached by the same path.
	above [2]map[uint64]mean
	// headings are, for each block, the last heading up to it, -1 for none, and
	// ends where its section ends.
	headings, ends []int32
	sets           map[uint64]mean
	bodies         [len(bodyShares)]body
	// sure and next are, for each block, the last one before and the first one
	// behind it that surely are content.
	sure, next []int32
	types      []float32 // how sure the guess is of each type of page
}

type mean struct{ yes, all float64 }

func (m mean) value() float64 {
	if m.all == 0 {
		return 0
	}
	return m.yes / m.all
}

func newSmoother(p *Page, guess []float32) *smoother {
	s := &smoother{
		Page: p, guess: guess, before: make([]float64, len(guess)+1),
		paths: make(map[uint64]mean, len(p.groups)), sets: map[uint64]mean{},
	}
	for k := range s.above {
		s.above[k] = map[uint64]mean{}
	}
	for i, g := range guess {
		s.surest = max(s.surest, g)
		words := float64(p.Blocks[i].Words) + 0.5
		yes := float64(g) * words
		s.before[i+1] = s.before[i] + yes
		m := s.paths[p.Blocks[i].path]
		s.paths[p.Blocks[i].path] = mean{m.yes + yes, m.all + words}
		e := p.Blocks[i].elem
		for k := range s.above {
			if e = p.elems[e].parent; e < 0 {
				break
			}
			m := s.above[k][p.elems[e].path]
			s.above[k][p.elems[e].path] = mean{m.yes + yes, m.all + words}
		}
		if e := p.facts.repeats.of[p.Blocks[i].elem]; e >= 0 {
			key := p.elems[e].path
			m := s.sets[key]
			s.sets[key] = mean{m.yes + yes, m.all + words}
		}
	}
	s.findSections()
	s.findBodies()
	p.step(4 * len(guess))
	return s
}

// findSections fills headings and ends.
func (s *smoother) findSections() {
	n := len(s.guess)
	s.headings, s.ends = make([]int32, n), make([]int32, n)
	last := int32(-1)
	for i := range s.guess {
		if s.Blocks[i].inside&inHeading != 0 {
			last = int32(i)
		}
		s.headings[i] = last
	}
	end := int32(n)
	for i := n - 1; i >= 0; i-- {
		s.ends[i] = end
		if s.headings[i] == int32(i) {
			end = int32(i)
		}
	}
}

// mean returns the mean over the blocks from and up to to.
func (s *smoother) mean(from, to int) float64 {
	from, to = max(from, 0), min(to, len(s.guess))
	words := float64(s.between(from, to).words) + 0.5*float64(to-from)
	return mean{s.before[to] - s.before[from], words}.value()
}

// rank compares the guess with the surest one of the page.
func (s *smoother) rank(i int) float64 {
	return float64(s.guess[i]) / max(float64(s.surest), 0.01)
}

func (s *smoother) of(e int32) float64 {
	if e < 0 {
		return -1
	}
	return s.mean(int(s.elems[e].from), int(s.elems[e].to))
}

func (s *smoother) block(r *row, i int) {
	b := &s.Blocks[i]
	r.add("guess", float64(s.guess[i]))
	for _, d := range [...]int{-3, -2, -1, 1, 2, 3} {
		v := -1.0
		if j := i + d; j >= 0 && j < len(s.guess) {
			v = float64(s.guess[j])
		}
		r.add("guess near", v)
	}
	for _, d := range [...]int{4, 12, 40} {
		r.add("guess window", s.mean(i-d, i+d+1))
	}
	e := b.elem
	for range 5 {
		r.add("guess container", s.of(e))
		if e >= 0 {
			e = s.elems[e].parent
		}
	}
	rep := &s.facts.repeats
	r.add("guess share5", s.of(rep.share5[b.elem]))
	r.add("guess share20", s.of(rep.share20[b.elem]))
	set := -1.0
	if e := rep.of[b.elem]; e >= 0 {
		set = s.sets[s.elems[e].path].value()
	}
	r.add("guess set", set)
	r.add("guess path", s.paths[b.path].value())
	e = b.elem
	for k := range s.above {
		v := -1.0
		if e >= 0 {
			if e = s.elems[e].parent; e >= 0 {
				v = s.above[k][s.elems[e].path].value()
			}
		}
		r.add("guess path above", v)
	}
	h := int(s.headings[i])
	v := -1.0
	if h >= 0 {
		v = float64(s.guess[h])
	}
	r.add("guess heading", v)
	r.add("guess section", s.mean(max(h, 0), int(s.ends[i])))
	r.add("guess rank", s.rank(i))
	r.add("guess page", s.mean(0, len(s.guess)))
	r.add("guess before", s.mean(0, i))
	r.add("guess behind", s.mean(i+1, len(s.guess)))
	s.bodyFeatures(r, i)
	s.pageFeatures(r, i)
}

// pageFeatures is about what the block repeats, and what page it is on.
func (s *smoother) pageFeatures(r *row, i int) {
	twin := -1.0
	if t := s.facts.same[s.Blocks[i].hash]; t.first < i {
		twin = float64(s.guess[t.first])
	}
	r.add("guess twin", twin)
	for _, v := range s.types {
		r.add("guess type", float64(v))
	}
}
