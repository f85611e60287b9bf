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
