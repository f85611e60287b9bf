package tex

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/effort"
)

// texOf returns the TeX of the first formula of a page, and the steps that it
// took.
func texOf(t testing.TB, page string) (string, int) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	m := effort.NewMeter(context.Background(), "write formulas", 1<<30)
	for n := range doc.Descendants() {
		if n.Data == "math" && n.Type == html.ElementNode {
			return Of(m, n), m.Taken()
		}
	}
	return "", 0
}

func TestElements(t *testing.T) {
	for in, want := range map[string]string{
		`<mi>x</mi><mo>&InvisibleTimes;</mo><mi>y</mi>`:                       `xy`,
		`<mi>&alpha;</mi><mi>b</mi><mn>2</mn>`:                                `\alpha b2`,
		`<mi>&alpha;</mi><mn>2</mn>`:                                          `\alpha 2`,
		`<msup><msub><mi>x</mi><mi>i</mi></msub><mn>2</mn></msup>`:            `{x_i}^2`,
		`<msup><mn>10</mn><mrow><mo>−</mo><mn>3</mn></mrow></msup>`:           `10^{-3}`,
		`<msup><mi>A</mi><mtext>T</mtext></msup>`:                             `A^{\text{T}}`,
		`<msup><mi>e</mi><mrow><mi>x</mi></mrow></msup>`:                      `e^x`,
		`<msub><mi>x</mi><mrow/></msub>`:                                      `x`,
		`<mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac>`:               `{{n}\atop{k}}`,
		`<mfrac><mi>a</mi></mfrac>`:                                           `a`,
		`<munder><mi>x</mi><mo>_</mo></munder>`:                               `\underline{x}`,
		`<munderover><mi>x</mi><mi>a</mi><mi>b</mi></munderover>`:             `\overset{b}{\underset{a}{x}}`,
		`<mover><mo movablelimits="true">⨃</mo><mi>n</mi></mover>`:            `⨃^n`,
		`<mi>x</mi><mspace width="2em"/><mi>y</mi><mspace width="1em"/>`:      `x\qquad y\quad`,
		`<mtext>50 % of {it}</mtext>`:                                         `\text{50 \% of \{it\}}`,
		`<ms>a</ms>`:                                                          `\text{"a"}`,
		`<mi>d</mi><mo>mod</mo><mi>sin</mi><mi>k</mi>`:                        `d\operatorname{mod}\sin k`,
		`<mi mathvariant="double-struck">R</mi><mn mathvariant="bold">1</mn>`: `\mathbb{R}\mathbf{1}`,
		`<mi>𝒜</mi><mi>𝔟</mi><mn>𝟙</mn><mi>𝛂</mi><mi>ℒ</mi>`:                  `\mathcal{A}\mathfrak{b}\mathbb{1}\boldsymbol{\alpha}\mathcal{L}`,
		`<mo>{</mo><mi>x</mi><mo>}</mo><mo>#</mo><mo>&amp;</mo>`:              `\{x\}\#\&`,
		`<mphantom><mi>x</mi></mphantom>`:                                     `\phantom{x}`,
		`<mo>‖</mo><mi>x</mi><mo>‖</mo>`:                                      `\|x\|`,
		`<mtable columnalign="right left"><mtr><mtd><mi>a</mi></mtd><mtd><mo>=</mo><mi>b</mi></mtd></mtr><mlabeledtr><mtd><mtext>(1)</mtext></mtd><mtd><mi>c</mi></mtd></mlabeledtr></mtable>`: `\begin{aligned} a & =b \\ c \end{aligned}`,
		`text &gt; 1`: `text>1`,
	} {
		if got, _ := texOf(t, "<math>"+in+"</math>"); got != want {
			t.Errorf("%s\ngives %s\nwant  %s", in, got, want)
		}
	}
}

func TestStepsGrowWithTheFormula(t *testing.T) {
	for _, piece := range []string{
		"<mi>x</mi>", "<msup><mi>x</mi><mn>2</mn></msup>", "<mtr><mtd><mi>x</mi></mtd></mtr>", "<mo>(</mo><mtable></mtable>",
		"<mover><mi>x</mi><mo>^</mo></mover>", "<mmultiscripts><mi>x</mi><mi>y</mi></mmultiscripts>",
	} {
		for _, around := range []string{"<math>", "<math><mtable>", "<math><mfenced>", "<math>" + strings.Repeat("<msup><mrow>", 100)} {
			_, small := texOf(t, around+strings.Repeat(piece, 500))
			if _, large := texOf(t, around+strings.Repeat(piece, 2000)); large > 5*(small+500) {
				t.Errorf("%s in %.20s: %d steps, %d at four times as much", piece, around, small, large)
			}
		}
	}
}

// FuzzOf writes any formula: braces pair up, and the TeX is not much longer than
// the page.
func FuzzOf(f *testing.F) {
	for _, seed := range []string{
		"<mfrac><mi>a<mi>b", "<msub><mo>}</mo><mtext>\\{", "<mo>{<mtable><mtr><mtd>&", "<mroot><mo>]", "<mover><mi>x<mo>^", "<mfenced open={ close=><mtable>", "<mi>𝐀𝟎𝛛",
		"<mmultiscripts><mprescripts/><none/>", "<munder><munder>x<mo>⏟", "<menclose notation=box>", "<semantics><annotation>x", "<mspace linebreak=newline>",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, page string) {
		got, _ := texOf(t, "<math>"+page)
		if !utf8.ValidString(page) {
			return
		}
		if again, _ := texOf(t, "<math>"+page); again != got {
			t.Error("another time it is other TeX")
		}
		if len(got) > 100+40*len(page) {
			t.Errorf("%d bytes of %d", len(got), len(page))
		}
		if open := braces(got); open != 0 {
			t.Errorf("%d braces are open: %s", open, got)
		}
	})
}

// braces returns how many more braces open than close, besides escaped ones.
func braces(s string) int {
	open := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			open++
		case '}':
			open--
		}
	}
	return open
}
