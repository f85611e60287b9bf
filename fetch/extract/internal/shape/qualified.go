package shape

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/names"
)

// isQualified reports whether a field, or its value, says what a description
// limits its concept by: a price is no monthly price unless the page says so.
func (sh *shaper) isQualified(p *prop, e *graph.Entity, f *graph.Field) bool {
	if len(p.told.Qualifiers) == 0 || names.Match(p.key, sh.name(f.Name)) >= names.Plural {
		return true
	}
	words := names.Words(f.Name)
	if v := &f.Values[0]; v.Kind != graph.Thing {
		words = append(words, names.Words(cutText(v.Text))...)
		words = append(words, names.Words(cutText(v.Shown))...)
	}
	if unit := unitOfPay(e, f); p.is(pay...) && unit != "" {
		words = append(words, names.Words(unit)...)
	} else if p.is(pay...) && !names.SaysPeriod(words) {
		return true // who says nothing of it means what is usual
	}
	sh.m.Step(1 + len(words))
	return !slices.ContainsFunc(p.told.Qualifiers, func(group []string) bool {
		return !slices.ContainsFunc(words, func(w string) bool {
			return slices.ContainsFunc(group, func(q string) bool { return w == q || w == q+"s" || len(q) > 4 && strings.HasPrefix(w, q) })
		})
	})
}

// maxSaid is how long a value is that may say more than an amount, in bytes.
const maxSaid = 80

// cutText is a text that is short enough to say of itself what it is, else "".
func cutText(text string) string {
	if len(text) > maxSaid {
		return ""
	}
	return text
}

// pay are the concepts of what somebody earns.
var pay = []string{"baseSalary", "salaryMin", "salaryMax"}

// unitOfPay is for how long a thing says that an amount is, or "".
func unitOfPay(e *graph.Entity, f *graph.Field) string {
	around := []*graph.Entity{e, f.Values[0].Entity}
	if in := f.Values[0].Entity; in != nil {
		for _, v := range in.Get("value") {
			around = append(around, v.Entity)
		}
	}
	for _, e := range around {
		if e == nil {
			continue
		}
		if texts := textsOf(e, "unitText"); len(texts) > 0 {
			return texts[0]
		}
	}
	return ""
}
