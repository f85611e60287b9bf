package egress

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Place is where a proxy leads out, as far as it is known. Letters' cases do not
// matter.
type Place struct {
	// Country is an ISO 3166-1 code of two letters; empty for a place that is not
	// known.
	Country string
	// State and City are names, or empty.
	State, City string
}

// maxPlaceName is the longest name of a state or a city, in characters.
const maxPlaceName = 100

var countryForm = regexp.MustCompile(`^[A-Za-z]{2}$`)

// Check says what is wrong with a place that is asked for, and with which member
// of it: country, state or city.
func (p Place) Check() (member string, err error) {
	if !countryForm.MatchString(p.Country) {
		return "country", errors.New("must be a code of two letters (ISO 3166-1), such as DE")
	}
	for name, text := range map[string]string{"state": p.State, "city": p.City} {
		if !utf8.ValidString(text) || strings.ContainsFunc(text, isControl) || utf8.RuneCountInString(text) > maxPlaceName {
			return name, errors.New("must be a name of at most 100 characters")
		}
	}
	return "", nil
}

// String is the place in the form "US/NY/New York".
func (p Place) String() string {
	return strings.Join(slices.DeleteFunc([]string{p.Country, p.State, p.City}, func(s string) bool { return s == "" }), "/")
}

// within reports whether all that is asked for is known of p.
func (p Place) within(asked Place) bool {
	same := func(want, has string) bool { return want == "" || strings.EqualFold(want, has) }
	return same(asked.Country, p.Country) && same(asked.State, p.State) && same(asked.City, p.City)
}

func (p Place) folded() Place {
	return Place{strings.ToLower(p.Country), strings.ToLower(p.State), strings.ToLower(p.City)}
}

// cutPlace takes the place from behind the URL of a proxy of the host, where it
// stands as "#country=US&state=NY&city=New York".
func cutPlace(raw string) (rest string, p Place, err error) {
	rest, mark, ok := strings.Cut(raw, "#")
	if !ok {
		return rest, Place{}, nil
	}
	said, err := url.ParseQuery(mark)
	for name, values := range said {
		if field := p.member(name); field != nil && len(values) == 1 {
			*field = strings.TrimSpace(values[0])
			continue
		}
		err = errors.Join(err, errors.New("unknown"))
	}
	if err != nil { // whose text may be a part of a password
		return rest, Place{}, errors.New("must have behind # nothing but country, state and city, such as #country=US&state=NY, and special characters of the user name and the password must be percent-encoded")
	}
	p.Country = strings.ToUpper(p.Country)
	if name, err := p.Check(); err != nil {
		return rest, Place{}, errors.New("has behind # a " + name + " that " + err.Error())
	}
	return rest, p, nil
}

func (p *Place) member(name string) *string {
	return map[string]*string{"country": &p.Country, "state": &p.State, "city": &p.City}[name]
}

// Places returns the names of the places of the proxies, each once, sorted.
func (p *Pool) Places() (names []string) {
	if p == nil {
		return nil
	}
	for _, at := range p.places {
		if at != (Place{}) {
			names = append(names, at.String())
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Has reports whether a proxy is at a place.
func (p *Pool) Has(asked Place) bool { return p != nil && len(p.at(asked)) > 0 }

// at returns the numbers of the proxies at a place; of all for none.
func (p *Pool) at(asked Place) (numbers []int) {
	for i, place := range p.places {
		if place.within(asked) {
			numbers = append(numbers, i)
		}
	}
	return numbers
}
