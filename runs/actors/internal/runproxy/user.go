package runproxy

import (
	"regexp"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
)

// user is what the user name of a proxy says. Groups are not part of it: the
// proxies of a host are one.
type user struct {
	session string
	place   egress.Place
}

// Values of user names, as the hosted service has them.
var (
	groupsForm  = regexp.MustCompile(`^[\w._~+]{1,500}$`)
	sessionForm = regexp.MustCompile(`^[\w._~]{1,50}$`)
	countryForm = regexp.MustCompile(`^([A-Za-z]{2})(?:_([A-Za-z0-9]{1,3}))?$`)
)

// readUser reads a user name such as "groups-A+B,session-x,country-US_CA"; "auto" or
// an empty one says nothing. Error kind Unauthenticated.
func readUser(name string) (u user, err error) {
	if name == "" || name == "auto" {
		return u, nil
	}
	for part := range strings.SplitSeq(name, ",") {
		kind, value, _ := strings.Cut(part, "-")
		if !u.take(kind, value) {
			return user{}, errtypes.New(errtypes.Unauthenticated, "the user name must be auto, or of the form groups-…,session-…,country-…: %.60q is no part of one", part)
		}
	}
	return u, nil
}

// take reads one part of a user name, and reports whether it is one.
func (u *user) take(kind, value string) bool {
	switch kind {
	case "groups":
		return groupsForm.MatchString(value)
	case "session":
		u.session = value
		return sessionForm.MatchString(value)
	case "country":
		m := countryForm.FindStringSubmatch(value)
		if m == nil {
			return false
		}
		u.place = egress.Place{Country: strings.ToUpper(m[1]), State: strings.ToUpper(m[2])}
		return true
	}
	return false
}
