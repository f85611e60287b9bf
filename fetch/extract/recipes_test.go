package extract

import (
	"context"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/corpora"
)

// recipeSchema asks for a recipe in the words that people use.
const recipeSchema = `{"type":"object","properties":{
	"title":{"type":"string"},
	"ingredients":{"type":"array","items":{"type":"string"}},
	"instructions":{"type":"array","items":{"type":"string"}},
	"yields":{"type":"string"},
	"totalTimeMinutes":{"type":"integer"}}}`

// wantRecipes are the marks that are kept: the share of the pages whose field is right.
var wantRecipes = map[string]float64{"title": 0.97, "ingredients": 0.9, "instructions": 0.905, "yields": 0.93, "total": 0.96, "all": 0.81}

type recipeGold struct {
	Title        string   `json:"title"`
	Ingredients  []string `json:"ingredients"`
	Instructions []string `json:"instructions_list"`
	Yields       string   `json:"yields"`
	Total        *float64 `json:"total_time"`
	URL          string   `json:"canonical_url"`
}

type recipeFound struct {
	Title        string   `json:"title"`
	Ingredients  []string `json:"ingredients"`
	Instructions []string `json:"instructions"`
	Yields       string   `json:"yields"`
	Total        *float64 `json:"totalTimeMinutes"`
}

// TestQualityRecipes compares words: a title and each item of a list are right that have
// the same, a yield by its first number. What gold does not have is not compared.
func TestQualityRecipes(t *testing.T) {
	corpora.Measure(t)
	s := mustCompile(t, recipeSchema)
	shares := map[string]*share{}
	for _, field := range []string{"title", "ingredients", "instructions", "yields", "total", "all"} {
		shares[field] = &share{}
	}
	for _, p := range corpora.Pages(t, "recipes") {
		var want recipeGold
		if err := json.Unmarshal(corpora.File(t, "recipes/ground-truth/"+p.ID+".json"), &want); err != nil {
			t.Fatal(err)
		}
		got := recipeOn(t, s, p.HTML(t), want, ShapeOptions{})
		all := true
		for field, right := range compareRecipes(got, want) {
			all = all && right
			shares[field].count(t, p.ID, field, right, recipeField(got, field), recipeFieldOfGold(want, field))
		}
		shares["all"].count(t, p.ID, "all", all, "", "")
	}
	for field, sh := range shares {
		sh.atLeast(t, field, wantRecipes[field])
	}
}

func recipeOn(t *testing.T, s *Schema, page string, want recipeGold, o ShapeOptions) (got recipeFound) {
	t.Helper()
	at, err := url.Parse(want.URL)
	if err != nil || at.Host == "" {
		at = &url.URL{Scheme: "https", Host: "example.com", Path: "/"}
	}
	r, err := Shape(context.Background(), parse(t, page), at, s, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(r.Content, &got); err != nil {
		t.Fatal(err)
	}
	return got
}

func compareRecipes(got recipeFound, want recipeGold) map[string]bool {
	right := map[string]bool{}
	if want.Title != "" {
		right["title"] = wordsOf(got.Title) == wordsOf(want.Title)
	}
	if len(want.Ingredients) > 0 {
		right["ingredients"] = sameItems(got.Ingredients, want.Ingredients)
	}
	if len(want.Instructions) > 0 {
		right["instructions"] = sameItems(got.Instructions, want.Instructions)
	}
	if n := firstNumber.FindString(want.Yields); n != "" {
		right["yields"] = firstNumber.FindString(got.Yields) == n
	}
	if want.Total != nil && *want.Total > 0 {
		right["total"] = got.Total != nil && *got.Total == *want.Total
	}
	return right
}

func sameItems(a, b []string) bool {
	return slices.EqualFunc(a, b, func(a, b string) bool { return wordsOf(a) == wordsOf(b) })
}

var (
	firstNumber = regexp.MustCompile(`\d+`)
	wordPattern = regexp.MustCompile(`[\pL\pN_]+`)
)

func wordsOf(s string) string {
	return strings.Join(wordPattern.FindAllString(strings.ToLower(s), -1), " ")
}

func recipeField(r recipeFound, field string) string {
	return map[string]string{"title": r.Title, "ingredients": strings.Join(r.Ingredients, "\n"), "instructions": strings.Join(r.Instructions, "\n"), "yields": r.Yields, "total": minutes(r.Total)}[field]
}

func recipeFieldOfGold(r recipeGold, field string) string {
	return map[string]string{"title": r.Title, "ingredients": strings.Join(r.Ingredients, "\n"), "instructions": strings.Join(r.Instructions, "\n"), "yields": r.Yields, "total": minutes(r.Total)}[field]
}

func minutes(n *float64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatFloat(*n, 'f', -1, 64)
}
