package pdftext

// A page is its content and what that refers to.
type page struct {
	content   any
	resources dict
}

// maxDepth bounds the tree of pages, and forms within forms.
const maxDepth = 30

// pages are those of the tree, in order.
func (f *file) pages() (all []page) {
	seen := map[ref]bool{}
	var walk func(v any, inherited dict, depth int)
	walk = func(v any, inherited dict, depth int) {
		if r, ok := v.(ref); ok {
			if seen[r] {
				return
			}
			seen[r] = true
		}
		d := f.dict(v)
		if d == nil || depth > maxDepth || !f.step() {
			return
		}
		if own := f.dict(d["Resources"]); own != nil {
			inherited = own
		}
		kids := f.array(d["Kids"])
		if kids == nil {
			if len(all) >= f.limits.Pages {
				f.cut = true
				return
			}
			all = append(all, page{d["Contents"], inherited})
			return
		}
		for _, kid := range kids {
			if !f.step() {
				return
			}
			walk(kid, inherited, depth+1)
		}
	}
	walk(f.dict(f.root)["Pages"], nil, 0)
	return all
}

// pageText is what a page says, at most limit bytes.
func (f *file) pageText(p page, limit int) string {
	w := &writer{limit: limit}
	c := &content{file: f, out: w, state: newState()}
	c.run(f.contentOf(p.content), p.resources, 0)
	return w.text()
}

// contentOf joins the streams of a page.
func (f *file) contentOf(v any) (data []byte) {
	parts := f.array(v)
	if s, ok := f.get(v).(stream); ok {
		parts = array{s}
	}
	for _, part := range parts {
		if s, ok := f.get(part).(stream); ok && len(data) < f.limits.Unpacked {
			data = append(append(data, f.unpack(s)...), '\n')
		}
	}
	return data
}
