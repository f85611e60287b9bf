package plain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/runs/model"
)

// unknownVariable says which placeholder of the steps no variable is given for.
// It is said before anything is done: half a form filled in helps nobody.
func unknownVariable(steps []step, given []model.Variable) error {
	for _, s := range steps {
		texts := append([]string{s.text, s.target.name, s.target.near, s.want.row, s.want.scope}, s.want.names...)
		names := placeholdersIn(s.url, true)
		for _, text := range texts {
			names = append(names, placeholdersIn(text, false)...)
		}
		for _, name := range names {
			if !slices.ContainsFunc(given, func(v model.Variable) bool { return v.Name == name }) {
				return fmt.Errorf("there is no variable %q for the placeholder %%%s%% in the step %q", name, name, shorten(s.sentence, 160))
			}
		}
	}
	return nil
}

var (
	escapeBefore = lexicon.Pattern(`^%[0-9A-Fa-f]{2}`)
	letter       = lexicon.Pattern(`[A-Za-z]`)
)

// placeholdersIn are the names between percent signs. In an address the signs
// may as well be those of escapes ("%20a%20"), and in a text of percentages
// ("50%-60%"), which are no names.
func placeholdersIn(text string, address bool) (names []string) {
	for at := strings.IndexByte(text, '%'); at >= 0; at = strings.IndexByte(text, '%') {
		text = text[at:]
		m := placeholder().FindString(text)
		escaped := address && escapeBefore().MatchString(text) && (m == "" || escapeBefore().MatchString(text[len(m)-1:]))
		switch {
		case !strings.HasPrefix(text, m) || m == "" || escaped || !letter().MatchString(m):
			text = text[1:]
		default:
			names = append(names, strings.Trim(m, "%"))
			text = text[len(m):]
		}
	}
	return names
}
