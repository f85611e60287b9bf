package people

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	vocabulary "github.com/drover-go/drover/internal/names"
)

// maxName is how long in bytes the name of somebody is: a longer one is no name.
const maxName = 200

// Declared returns the authors that a page declares: a text that names nobody is none, nor
// is a thing so called. One that names several is several where they are wanted apart. Who
// is called by his mail address has no other name.
func Declared(values []graph.Value, apart bool) (all []graph.Value) {
	for _, v := range values {
		called := v.Text
		if v.Entity != nil {
			names := v.Entity.Get("name")
			if _, isMail := mention.Email(textOf(names)); isMail || textOf(names) == "" {
				all = append(all, v)
				continue
			}
			called = names[0].Text
		}
		who := Names(called)
		if len(who) > 1 && !apart {
			who = []string{vocabulary.WithoutBy(page.Collapse(called))}
		}
		for _, name := range who {
			all = append(all, renamed(v, name, len(who) == 1))
		}
	}
	return all
}

// textOf is the text of a value that is the only one, or "".
func textOf(values []graph.Value) string {
	if len(values) != 1 {
		return ""
	}
	return values[0].Text
}

// renamed returns a text or a thing by another name, with all else that the thing says if
// that is of it alone.
func renamed(v graph.Value, name string, alone bool) graph.Value {
	if v.Entity == nil {
		v.Text = name
		return v
	}
	one := *v.Entity
	one.Fields = nil
	for _, f := range v.Entity.Fields {
		if f.Name == "name" {
			f.Values = []graph.Value{f.Values[0]}
			f.Values[0].Text = name
		} else if !alone {
			continue
		}
		one.Fields = append(one.Fields, f)
	}
	v.Entity = &one
	return v
}

// Names returns the names in a text that is declared to be that of somebody, without "by"
// before them. What a program calls its user is no name, nor is an address.
func Names(text string) (all []string) {
	text = vocabulary.WithoutBy(page.Collapse(text))
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
