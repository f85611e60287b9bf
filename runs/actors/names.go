package actors

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/projects"
)

const (
	minName        = 3
	maxName        = 63
	maxTitle       = 63
	maxDescription = 5000
)

var nameForm = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$`)

func validateName(name string) error {
	if len(name) < minName || len(name) > maxName || !nameForm.MatchString(name) {
		return errtypes.Field("name", "must be %d to %d letters of ASCII, digits and dashes, neither beginning nor ending with a dash", minName, maxName)
	}
	return nil
}

// keyOf is what a name is unique by.
func keyOf(name string) string { return strings.ToLower(name) }

// selector finds a thing by its id or the key of its name.
type selector struct{ id, key string }

func selectorOf(p projects.Project, ref string) selector {
	if name, ok := p.NameIn(ref); ok {
		return selector{key: keyOf(name)}
	}
	return selector{id: ref}
}

// taskName is the nth name for a task that was given none.
func taskName(actor string, n int) string {
	tail := "-task"
	if n > 0 {
		tail = fmt.Sprintf("-task-%d", n)
	}
	return strings.TrimRight(actor[:min(len(actor), maxName-len(tail))], "-") + tail
}

// text is a field for people, with its longest length in characters.
type text struct {
	field, value string
	most         int
}

func validateTexts(all ...text) error {
	for _, t := range all {
		if !utf8.ValidString(t.value) || utf8.RuneCountInString(t.value) > t.most {
			return errtypes.Field(t.field, "must be at most %d characters of valid UTF-8", t.most)
		}
	}
	return nil
}

func (d Details) validate() error {
	const maxCategories, maxCategory, maxExample = 10, 50, 500 << 10
	if err := validateTexts(
		text{"title", d.Title, maxTitle}, text{"description", d.Description, maxDescription},
		text{"seoTitle", d.SEOTitle, 70}, text{"seoDescription", d.SEODescription, 160},
	); err != nil {
		return err
	}
	if len(d.Categories) > maxCategories {
		return errtypes.Field("categories", "must be at most %d", maxCategories)
	}
	for _, c := range d.Categories {
		if err := validateTexts(text{"categories", c, maxCategory}); err != nil {
			return err
		}
	}
	switch d.Permissions {
	case "", LimitedPermissions, FullPermissions:
	default:
		return errtypes.Field("actorPermissionLevel", "must be %s or %s", LimitedPermissions, FullPermissions)
	}
	if d.Example != nil && len(d.Example.Body) > maxExample {
		return errtypes.Field("exampleRunInput", "must have a body of at most %d bytes", maxExample)
	}
	if err := d.Standby.validate(); err != nil {
		return err
	}
	if err := validatePricings(d.Pricings); err != nil {
		return err
	}
	return d.Runs.Validate()
}

func (d TaskDetails) validate() error {
	if err := validateTexts(text{"title", d.Title, maxTitle}, text{"description", d.Description, maxDescription}); err != nil {
		return err
	}
	if err := errors.Join(d.Display.validate(), d.Standby.validate()); err != nil {
		return err
	}
	return d.Runs.Validate()
}
