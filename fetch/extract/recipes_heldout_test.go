package extract

import (
	"encoding/json"
	"testing"

	"github.com/drover-go/drover/fetch/internal/grow"
	"github.com/drover-go/drover/internal/corpora"
)

// wantHeldOut are the marks that are kept on hosts that the forests for lists have not
// seen, as means of five folds of each of three partitions.
var wantHeldOut = map[string]float64{"title": 0.97, "ingredients": 0.88, "instructions": 0.895, "yields": 0.93, "total": 0.96, "all": 0.80}

// seeds are how many ways the hosts are parted.
const seeds = 3

// TestQualityRecipesHeldOut measures as TestQualityRecipes does, with forests that have
// seen no page of the host.
func TestQualityRecipesHeldOut(t *testing.T) {
	corpora.Measure(t)
	learnt, err := readLessons(corpora.Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	school := newSchool(learnt)
	s := mustCompile(t, recipeSchema)
	fields := []string{"title", "ingredients", "instructions", "yields", "total", "all"}
	var all [seeds]map[string]*share
	for seed := range all {
		model := school.Folds(uint64(seed))
		all[seed] = map[string]*share{}
		for _, field := range fields {
			all[seed][field] = &share{}
		}
		for _, p := range corpora.Pages(t, "recipes") {
			var want recipeGold
			if err := json.Unmarshal(corpora.File(t, "recipes/ground-truth/"+p.ID+".json"), &want); err != nil {
				t.Fatal(err)
			}
			right := compareRecipes(recipeOn(t, s, p.HTML(t), want, ShapeOptions{model: model(grow.Host(want.URL))}), want)
			whole := true
			for field, is := range right {
				whole = whole && is
				all[seed][field].count(t, p.ID, field, is, "", "")
			}
			all[seed]["all"].count(t, p.ID, "all", whole, "", "")
		}
	}
	for _, field := range fields {
		sum, low, high := share{}, 1.0, 0.0
		for _, shares := range all {
			sh := shares[field]
			sum.right, sum.all = sum.right+sh.right, sum.all+sh.all
			low, high = min(low, float64(sh.right)/float64(sh.all)), max(high, float64(sh.right)/float64(sh.all))
		}
		t.Logf("held out by host: %s %.3f to %.3f", field, low, high)
		sum.atLeast(t, field, wantHeldOut[field])
	}
}
