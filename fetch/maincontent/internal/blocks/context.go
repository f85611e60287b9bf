package blocks

// containers is about the elements around the block, near and far.
func (f *featurer) containers(r *row, i int) {
	b := &f.Blocks[i]
	e := b.elem
	for range 4 {
		f.container(r, e)
		if e >= 0 {
			e = f.elems[e].parent
		}
	}
	rep := &f.facts.repeats
	f.container(r, rep.share5[b.elem])
	f.container(r, rep.share20[b.elem])
	f.repeated(r, rep.of[b.elem])
	g := f.groups[b.path]
	r.count("path blocks", g.blocks)
	r.count("path words", int(g.sum.words)/max(g.blocks, 1))
	r.add("path share", ratio(g.sum.words, f.all.words))
	r.add("path links", ratio(g.sum.links, g.sum.words))
	r.add("path prose", ratio(g.sum.prose, g.sum.words))
	r.add("path spread", ratio(g.last-g.first, len(f.Blocks)))
}

func (f *featurer) container(r *row, e int32) {
	if e < 0 {
		for range 7 {
			r.add("container", -1)
		}
		return
	}
	s, el := f.within(e), &f.elems[e]
	r.count("container words", int(s.words))
	r.add("container share", ratio(s.words, f.all.words))
	r.add("container links", ratio(s.links, s.words))
	r.add("container prose", ratio(s.prose, s.words))
	r.count("container same", int(el.same))
	r.add("container words/block", math32(s.words, el.to-el.from))
	r.add("container again", ratio(f.again[el.to]-f.again[el.from], s.words))
}

func math32(words, blocks int32) float64 { return min(ratio(words, blocks), 200) }

// repeated is about the set of like elements that the block is in one of.
func (f *featurer) repeated(r *row, e int32) {
	if e < 0 {
		for range 10 {
			r.add("repeated", -1)
		}
		return
	}
	el := &f.elems[e]
	t := f.facts.repeats.sets[el.path]
	s := f.within(e)
	r.count("repeated", t.count)
	r.count("repeated words", int(t.words)/max(t.count, 1))
	r.add("repeated share", ratio(t.words, f.all.words))
	r.add("repeated links", ratio(t.links, t.words))
	r.add("repeated prose", ratio(t.prose, t.words))
	r.add("repeated own links", ratio(s.links, s.words))
	r.flag("repeated largest", t.words == f.facts.repeats.best.words)
	r.count("repeated blocks", int(el.to-el.from))
	nth := int(f.facts.repeats.nth[e])
	r.count("repeated number", nth)
	r.count("repeated behind", t.count-1-nth)
}

// regions is about whether the block lies where the content may lie.
func (f *featurer) regions(r *row, i int) {
	fa := &f.facts
	for _, e := range [...]int32{fa.dense, fa.prose80, fa.words50, fa.article, fa.mainElem} {
		in := f.holds(e, i)
		r.flag("in region", in)
		switch {
		case e < 0:
			r.add("from region", -1)
		case i < int(f.elems[e].from):
			r.add("from region", float64(-min(int(f.elems[e].from)-i, 50)))
		case in:
			r.add("from region", 0)
		default:
			r.add("from region", float64(min(i-int(f.elems[e].to)+1, 50)))
		}
	}
	e := f.Blocks[i].elem
	for range 4 {
		v := -1.0
		if e >= 0 {
			v = f.facts.dense01[e]
			e = f.elems[e].parent
		}
		r.add("density", v)
	}
	r.add("apart from dense", float64(f.apart(fa.dense, f.Blocks[i].elem)))
}

// apart returns how far one has to climb from the element a until b is within.
func (f *featurer) apart(a, b int32) int {
	climbed := 0
	for a >= 0 && climbed < 20 {
		el := &f.elems[a]
		if el.from <= f.elems[b].from && f.elems[b].to <= el.to {
			return climbed
		}
		a = el.parent
		climbed++
	}
	return 20
}
