package maincontent

import "testing"

// FuzzFind holds whatever page against what must be true of any.
func FuzzFind(f *testing.F) {
	for _, page := range shapes {
		f.Add(page(3))
	}
	f.Add("<body><nav>a</nav><main><article><h1>b</h1><p>c, d. e</p></article></main><footer>f")
	f.Add("<b hidden>x</b>")
	f.Add("<rp>x</rp>")
	f.Add("<noscript><p>a</noscript><dialog><math><mi>x</math><table><td><td hidden>")
	f.Fuzz(func(t *testing.T, page string) {
		if len(page) > 1<<16 {
			return
		}
		checkInvariants(t, page)
	})
}
