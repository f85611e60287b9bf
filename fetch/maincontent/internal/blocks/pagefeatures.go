package blocks

import "strings"

// PageFeatures appends what is known of the page as a whole.
func (p *Page) PageFeatures(dst []float32) []float32 {
	r := row{values: dst}
	p.page(&r)
	return r.values
}

// PageNames returns the names of the page's features.
func (p *Page) PageNames() []string {
	var names []string
	p.page(&row{names: &names})
	return names
}

func (p *Page) page(r *row) {
	all, fa := p.between(0, len(p.Blocks)), &p.facts
	r.count("page words", int(all.words))
	r.count("page blocks", len(p.Blocks))
	r.add("page links", ratio(all.links, all.words))
	r.add("page prose", ratio(all.prose, all.words))
	for k, name := range [...]string{
		"form", "input", "article", "time", "pre", "table", "img", "video", "button", "details", "heading", "code", "iframe",
	} {
		r.count("count "+name, fa.counts[k])
	}
	for k, n := range fa.schema {
		r.count("schema "+[...]string{"article", "product", "list", "forum", "tech", "service", "crumbs", "review", "page"}[k], n)
	}
	for _, t := range [...]string{"article", "product", "website", "profile"} {
		r.flag("og "+t, strings.Contains(fa.ogType, t))
	}
	for k, e := range [...]int32{fa.dense, fa.prose80, fa.words50, fa.article, fa.mainElem} {
		p.region(r, e, all, [...]string{"dense", "prose80", "words50", "article", "main"}[k])
	}
	best := fa.repeats.best
	r.count("set count", best.count)
	r.add("set share", ratio(best.words, all.words))
	r.add("set links", ratio(best.links, best.words))
	r.add("set prose", ratio(best.prose, best.words))
	r.count("set words", int(best.words)/max(best.count, 1))
	p.hints(r)
	p.address(r)
}

func (p *Page) region(r *row, e int32, all sum, name string) {
	if e < 0 {
		r.add(name+" share", -1)
		r.add(name+" links", -1)
		r.add(name+" prose", -1)
		return
	}
	s := p.within(e)
	r.add(name+" share", ratio(s.words, all.words))
	r.add(name+" links", ratio(s.links, s.words))
	r.add(name+" prose", ratio(s.prose, max(all.prose, 1)))
}

// hints are how many words stand near names of each kind, and how many blocks
// say certain things.
func (p *Page) hints(r *row) {
	var named [nameKinds]int
	prices, dates, long, headings := 0, 0, 0, 0
	for i := range p.Blocks {
		b := &p.Blocks[i]
		for k := range b.near {
			if b.near[k] < 4 {
				named[k]++
			}
		}
		if b.style.currency > 0 && b.Words < 20 {
			prices++
		}
		if b.inside&inTime != 0 {
			dates++
		}
		if b.Words > 40 {
			long++
		}
		if b.inside&inHeading != 0 {
			headings++
		}
	}
	p.step(len(p.Blocks) * nameKinds / 8)
	for _, k := range [...]int{4, 15, 18, 19, 20, 22, 23, 26, 32, 33, 34, 35, 36, 31, 40, 41, 42} {
		r.add(hintNames[k], ratio(named[k], len(p.Blocks)))
	}
	r.count("prices", prices)
	r.count("dates", dates)
	r.count("long blocks", long)
	r.add("headings", ratio(headings, len(p.Blocks)))
}

// addresses are the words of a path that say of what type the page is.
var addresses = [...]string{
	"product products shop item store buy p catalog",
	"thread threads forum forums topic topics viewtopic showthread t discussion discussions community questions question comments",
	"docs doc documentation api reference manual guide guides tutorial tutorials help wiki",
	"blog news article articles story stories post posts",
	"category categories collection collections tag tags c archive search list browse",
	"service services solutions about contact pricing locations",
}

// address is about the shape of the page's path.
func (p *Page) address(r *row) {
	path, query := "", ""
	if p.URL != nil {
		path, query = strings.ToLower(p.URL.Path), p.URL.RawQuery
	}
	path = path[:min(len(path), 1024)]
	parts := strings.FieldsFunc(path, func(c rune) bool { return c == '/' })
	last := ""
	if len(parts) > 0 {
		last = parts[len(parts)-1]
	}
	r.add("path parts", float64(len(parts)))
	r.add("path hyphens", float64(strings.Count(last, "-")))
	r.count("path digits", strings.IndexFunc(reversed(last), func(c rune) bool { return c < '0' || c > '9' }))
	r.flag("has query", query != "")
	r.flag("ends in slash", strings.HasSuffix(path, "/"))
	for k, words := range addresses {
		found := false
		for w := range strings.FieldsSeq(words) {
			for _, part := range parts {
				name, _, _ := strings.Cut(part, ".")
				found = found || name == w
			}
		}
		r.flag(pathNames[k], found)
	}
}

func reversed(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}
