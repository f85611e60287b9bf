package blocks

// marks are what blocks are counted by within the elements around a block.
const (
	markPrice = iota
	markHeading
	markI   // who writes speaks of himself
	markYou // the reader is spoken to
	markReview
	markDate
	markBuy
	markMore // there is more elsewhere
	markShort
	markKinds
)

var markNames = named("within ", []string{"price", "heading", "i", "you", "review", "date", "buy", "more", "short"})

// A marked counts blocks by their marks: those before the i-th one stand in
// featurer.marks[i].
type marked [markKinds]int32

// countMarks counts the marks of all blocks.
func (f *featurer) countMarks() {
	f.marks = make([]marked, len(f.Blocks)+1)
	for i := range f.Blocks {
		m := f.marks[i]
		for kind, has := range marksOf(&f.Blocks[i], f.said[i].kinds) {
			if has {
				m[kind]++
			}
		}
		f.marks[i+1] = m
	}
	f.step(len(f.Blocks))
}

// marksOf says which marks a block has that says phrases of some kinds.
func marksOf(b *Block, phrases uint32) [markKinds]bool {
	says := func(kind int) bool { return phrases&(1<<kind) != 0 }
	return [markKinds]bool{
		markPrice:   b.style.currency > 0 && b.Words < 20,
		markHeading: b.inside&inHeading != 0,
		markI:       says(firstPerson),
		markYou:     says(19),
		markReview:  says(13),
		markDate:    says(14) && b.Words < 20,
		markBuy:     says(8) && b.Words < 10,
		markMore:    says(6) && b.Words < 10,
		markShort:   b.Words < 4,
	}
}

// withinAround is about what stands in the elements around the block.
func (f *featurer) withinAround(r *row, i int) {
	b := &f.Blocks[i]
	e := b.elem
	for range 2 {
		if e >= 0 {
			e = f.elems[e].parent
		}
	}
	rep := &f.facts.repeats
	for _, e := range [...]int32{e, rep.of[b.elem], rep.share5[b.elem], rep.share20[b.elem]} {
		f.withinElement(r, e)
	}
}

func (f *featurer) withinElement(r *row, e int32) {
	if e < 0 {
		for k := range markKinds {
			r.add(markNames[k], -1)
		}
		r.add("within images", -1)
		return
	}
	el := &f.elems[e]
	n := float64(max(el.to-el.from, 1))
	from, to := &f.marks[el.from], &f.marks[el.to]
	for k := range markKinds {
		r.add(markNames[k], float64(to[k]-from[k])/n)
	}
	r.add("within images", min(float64(el.images)/n, 5))
}
