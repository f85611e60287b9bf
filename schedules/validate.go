package schedules

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/schedules/internal/cron"
)

const (
	minName        = 3
	maxName        = 63
	maxTitle       = 40
	maxDescription = 5000
)

var nameForm = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$`)

// invalid is an error of the schema (wire-v2, 1).
func invalid(field, format string, args ...any) error {
	return errtypes.Field(field, format, args...).WithType(errtypes.TypeSchemaValidation)
}

func validateName(name string) error {
	if len(name) < minName || len(name) > maxName || !nameForm.MatchString(name) {
		return invalid("name", "failed regular expression validation: it must be %d to %d letters of ASCII, digits and dashes, neither beginning nor ending with a dash", minName, maxName)
	}
	return nil
}

// keyOf is what a name is unique by.
func keyOf(name string) string { return strings.ToLower(name) }

// nthName is the nth name for a schedule that was given none.
func nthName(n int) string {
	if n == 0 {
		return "my-schedule"
	}
	return fmt.Sprintf("my-schedule-%d", n)
}

// titleOf is a title for a schedule that was given none: My Schedule.
func titleOf(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' })
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	title := strings.Join(words, " ")
	return title[:min(len(title), maxTitle)]
}

func (s Settings) withDefaults() Settings {
	s.Cron = cmp.Or(s.Cron, string(cron.Daily))
	s.Timezone = cmp.Or(s.Timezone, "UTC")
	s.CatchUp = cmp.Or(s.CatchUp, CatchUpLast)
	return s
}

func (s Settings) validate() error {
	switch {
	case tooLong(s.Title, maxTitle):
		return invalid("title", "cannot exceed %d characters", maxTitle)
	case tooLong(s.Description, maxDescription):
		return invalid("description", "cannot exceed %d characters", maxDescription)
	case !slices.Contains([]CatchUp{CatchUpLast, CatchUpAll, CatchUpNone}, s.CatchUp):
		return invalid("catchUp", "is not an allowed value: must be last, all or none")
	}
	return nil
}

func tooLong(text string, most int) bool {
	return !utf8.ValidString(text) || utf8.RuneCountInString(text) > most
}

// kinds are what actions of a type start, in errors.
var kinds = map[ActionType]string{RunActor: "Actors", RunActorTask: "Actor tasks", RunAgent: "agents", InvokeFunction: "functions"}

// order is that of the types of actions (wire-v2, 1).
var order = []ActionType{RunActor, RunActorTask, RunAgent, InvokeFunction}

// checkActions checks new actions, puts them into order and gives them ids: those that are
// known stay.
func (s *service) checkActions(ctx context.Context, known []actionRow, all []Action) ([]Action, error) {
	all = slices.Clone(all)
	count := map[ActionType]int{}
	for i := range all {
		a := &all[i]
		if count[a.Type]++; count[a.Type] > s.conf.Limits.PerType {
			return nil, errtypes.OfType(errtypes.TypeTooManyValues, "Schedule can have at most %d %s.", s.conf.Limits.PerType, kinds[a.Type])
		}
		launcher := s.conf.Launchers[a.Type]
		if launcher == nil {
			return nil, invalid(fmt.Sprintf("actions[%d].type", i), "is not an allowed value: %q", a.Type)
		}
		if a.Input != nil && len(a.Input.Body) > s.conf.Limits.MaxInput {
			return nil, invalid(fmt.Sprintf("actions[%d].runInput.body", i), "has %d bytes; at most %d are allowed", len(a.Input.Body), s.conf.Limits.MaxInput)
		}
		isThis := func(id string) bool { return id == a.ID }
		if !slices.ContainsFunc(known, func(k actionRow) bool { return isThis(k.ID) }) || slices.ContainsFunc(all[:i], func(o Action) bool { return isThis(o.ID) }) {
			a.ID = ids.NewShort()
		}
		var err error
		if *a, err = launcher.Check(ctx, *a); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b Action) int { return cmp.Compare(slices.Index(order, a.Type), slices.Index(order, b.Type)) })
	return all, nil
}
