package meta

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graphtest"
)

func TestGolden(t *testing.T) { graphtest.Golden(t, Read) }

func TestValuesHaveALimit(t *testing.T) {
	p := graphtest.Parse(t, strings.Repeat("<meta name=a content=b>", maxValues+10))
	if got := len(Read(p)[0].Get("a")); got != maxValues {
		t.Errorf("%d values", got)
	}
}

func TestLabelsOfCards(t *testing.T) {
	p := graphtest.Parse(t, `<meta name="twitter:label1" content="Price"><meta name="twitter:data1" content="$15"><meta name="twitter:label2" content="Written by"><meta name="twitter:data2" content="Jane"><meta name="twitter:data3" content="7">`)
	e := Read(p)[0]
	if got := e.Get("Price"); len(got) != 1 || got[0].Text != "$15" {
		t.Errorf("got %v", got)
	}
	if len(e.Get("Written by")) != 0 || len(e.Get("")) != 0 {
		t.Errorf("got %v", e.Fields)
	}
}
