package people

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// maxName is how long in bytes the name of somebody is: a longer one is no name.
const maxName = 200

// Declared returns the authors that a page declares, one for each name: a text that has
// several is several, and one that has none is none, nor is a thing so called.
func Declared(values []graph.Value) (all []graph.Value) {
	for _, v := range values {
		if v.Kind != graph.Thing || v.Entity == nil {
			for _, name := range Names(v.Text) {
				one := v
				one.Text = name
				all = append(all, one)
			}
			continue
		}
		called := v.Entity.Get("name")
		if len(called) != 1 || called[0].Text == "" {
			all = append(all, v) // it has other names, or none
			continue
		}
		who := Names(called[0].Text)
		if len(who) == 1 && who[0] == called[0].Text {
			all = append(all, v)
			continue
		}
		for _, name := range who {
			one := v
			one.Entity = renamed(v.Entity, name, len(who) == 1)
			all = append(all, one)
		}
	}
	return all
}

// renamed returns a thing by another name, with all else that it says if that is of it
// alone.
func renamed(e *graph.Entity, name string, alone bool) *graph.Entity {
	one := *e
	one.Fields = nil
	for _, f := range e.Fields {
		if f.Name == "name" {
			v := f.Values[0]
			v.Text = name
			f.Values = []graph.Value{v}
		}
		if alone || f.Name == "name" {
			one.Fields = append(one.Fields, f)
		}
	}
	return &one
}

// Names returns the names in a text that is declared to be that of somebody, without "by"
// before them. What a program calls its user is no name, nor is an address.
func Names(text string) (all []string) {
	text = names.WithoutBy(page.Collapse(text))
	if len(text) > maxName || page.IsAddress(text) || mention.IsUnfilled(text) {
		return nil
	}
	if strings.Contains(text, "@") {
		text = strings.Trim(mail().ReplaceAllString(text, ""), " ()<>")
	}
	for _, name := range Split(text) {
		if name != "" && !IsNobody(name) {
			all = append(all, name)
		}
	}
	return all
}

var (
	mail        = lexicon.Pattern(`\S*@\S*`)
	addressLike = lexicon.Pattern(`^(?:https?:)?(?://)?(?:www\.\S+|(?:[a-z0-9-]+\.)+[a-z]{2,12}/\S*)$`)
)

var nobodies = lexicon.ByWord(files, "nobody")

// IsNobody reports whether a name is the one that a program gives who writes, or
// no name at all.
func IsNobody(name string) bool {
	return nobodies()[mention.Key(name)] != "" || addressLike().MatchString(name)
}
