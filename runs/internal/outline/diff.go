package outline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/browser"
)

const (
	// maxDiff bounds the work of comparing views: lines of one times lines of the
	// other, between what both begin and end with.
	maxDiff = 4_000_000
	// sameRefs is how many of a hundred references have to stay for a difference to
	// say more than the page.
	sameRefs = 60
)

// Since returns the page as what has changed since an older view of it, which was
// shown before; ok is false where the page itself says it better: it is another
// one, one of the views is a part, or most has changed. A line begins with + where it
// is new, with ~ where the element with its reference looks like this now, and with
// - where it has gone. Of views that leave lines out, what both show is compared: a
// line that may only be left out now has not gone.
func (v View) Since(old View, fence string) (text string, ok bool) {
	if old.Page.URL != v.Page.URL || v.First+old.First > 0 || v.Part+old.Part != "" || !keepsRefs(old, v) {
		return "", false
	}
	changes, ok := v.changes(old)
	if !ok {
		return "", false
	}
	whole, _ := v.Text(fence, 1<<30)
	var b strings.Builder
	fmt.Fprintf(&b, "[page %s]\n", fence)
	v.head(&b)
	since := sinceLine
	if !v.Whole() || !old.Whole() {
		since = sincePartLine
	}
	b.WriteString(since + "\n" + changes)
	v.leftOut(&b)
	fmt.Fprintf(&b, "[end of page %s]", fence)
	return b.String(), b.Len() < len(whole)/2
}

const (
	sinceLine     = "Changes since the page was last shown (+ new, ~ changed, - gone); all else is as it was:"
	sincePartLine = "Changes since the page was last shown (+ new here, ~ changed, - no longer here); what else was shown is as it was:"
)

// leftOut says how much of the page is shown nowhere.
func (v View) leftOut(b *strings.Builder) {
	if left := v.Total - len(v.Lines); left > 0 {
		fmt.Fprintf(b, "%d of %d lines are left out: snapshot with offset or ref, or find.\n", left, v.Total)
	}
	v.cutFoot(b)
}

// keepsRefs reports whether most references of the older view are in the newer one.
func keepsRefs(old, now View) bool {
	there := map[browser.Ref]bool{}
	for _, l := range now.Lines {
		there[l.Ref] = l.Ref != ""
	}
	all, kept := 0, 0
	for _, l := range old.Lines {
		if l.Ref == "" {
			continue
		}
		if all++; there[l.Ref] {
			kept++
		}
	}
	return kept*100 >= all*sameRefs
}

// changes are the lines that differ, each group behind the line that it follows.
func (v View) changes(old View) (string, bool) {
	before, after := old.plainTexts(), v.plainTexts()
	start := 0
	for start < min(len(before), len(after)) && before[start] == after[start] {
		start++
	}
	tail := 0
	for tail < min(len(before), len(after))-start && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	b, a := before[start:len(before)-tail], after[start:len(after)-tail]
	if len(a)*len(b) > maxDiff {
		return "", false
	}
	d := differ{old: old.Lines[start:], now: v.Lines[start:], before: b, after: a, hidden: v.hiddenBefore(start)}
	d.anchor = func(i int) string { return anchorOf(v, start+i) }
	return d.text(), true
}

// hiddenBefore reports before which lines, counted from start, others are left out;
// the last may stand behind all lines.
func (v View) hiddenBefore(start int) map[int]bool {
	hidden := map[int]bool{}
	left := 0
	for _, g := range v.Gaps {
		hidden[g.At-start] = true
		left += g.Lines
	}
	if v.First+len(v.Lines)+left < v.Total {
		hidden[len(v.Lines)-start] = true
	}
	return hidden
}

// plainTexts are the lines without marks of what is new.
func (v View) plainTexts() []string {
	for i := range v.Lines {
		if v.Lines[i].New {
			v.Lines = slices.Clone(v.Lines)
			for i := range v.Lines {
				v.Lines[i].New = false
			}
			break
		}
	}
	texts, _ := v.texts()
	return texts
}

// anchorOf says behind which line the line i stands.
func anchorOf(v View, i int) string {
	if i == 0 {
		return "at the beginning:"
	}
	l := v.Lines[i-1]
	at := Line{Element: browser.Element{Role: l.Role, Name: shortName(l.Name), Ref: l.Ref}}
	return "after " + strings.TrimPrefix(at.String(), "- ") + ":"
}

func shortName(name string) string {
	if len(name) <= 60 {
		return name
	}
	return strings.ToValidUTF8(name[:60], "") + "…"
}

// A differ compares two lists of lines.
type differ struct {
	old, now      []Line
	before, after []string
	anchor        func(i int) string // of a line of the newer list
	hidden        map[int]bool       // before which of the newer list others are left out
}

func (d differ) text() string {
	common := d.common()
	stays := map[browser.Ref]bool{}
	for _, l := range d.now[:len(d.after)] {
		stays[l.Ref] = l.Ref != ""
	}
	had := map[browser.Ref]bool{}
	for _, l := range d.old[:len(d.before)] {
		had[l.Ref] = l.Ref != ""
	}
	var b strings.Builder
	told := -1 // the line of the newer list that the last change stands before
	at := func(j int) {
		if told != j {
			b.WriteString(d.anchor(j) + "\n")
		}
	}
	for i, j := 0, 0; i < len(d.before) || j < len(d.after); {
		switch {
		case i < len(d.before) && j < len(d.after) && d.before[i] == d.after[j]:
			i, j = i+1, j+1
		case j < len(d.after) && (i == len(d.before) || common[i][j+1] >= common[i+1][j]):
			at(j)
			b.WriteString(marked(d.after[j], had[d.now[j].Ref]) + "\n")
			j++
			told = j
		default:
			if l := d.old[i]; !stays[l.Ref] && !d.hidden[j] {
				at(j)
				gone := Line{Element: browser.Element{Role: l.Role, Name: shortName(l.Name), Ref: l.Ref}}
				b.WriteString(gone.String() + "\n")
				told = j
			}
			i++
		}
	}
	return b.String()
}

// marked has + or ~ in place of the dash of a line.
func marked(text string, known bool) string {
	mark := "+"
	if known {
		mark = "~"
	}
	return strings.Replace(text, "-", mark, 1)
}

// common are the lengths of the longest common lists of lines behind each two.
func (d differ) common() [][]int32 {
	n, m := len(d.before), len(d.after)
	all := make([][]int32, n+1)
	cells := make([]int32, (n+1)*(m+1))
	for i := range all {
		all[i] = cells[i*(m+1) : (i+1)*(m+1)]
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if d.before[i] == d.after[j] {
				all[i][j] = all[i+1][j+1] + 1
			} else {
				all[i][j] = max(all[i+1][j], all[i][j+1])
			}
		}
	}
	return all
}
