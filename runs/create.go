package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/schema"
	"github.com/drover-go/drover/internal/shorten"
	"github.com/drover-go/drover/runs/internal/secrets"
	"github.com/drover-go/drover/runs/model"
)

// validate checks what a run may ask for.
func (s *service) validate(ctx context.Context, c Create) error {
	switch {
	case c.Task == "" || !utf8.ValidString(c.Task):
		return errtypes.Field("task", "must be at least 1 character of valid UTF-8")
	case len(c.Task) > s.conf.Limits.MaxTask:
		return errtypes.Field("task", "must be at most %d bytes", s.conf.Limits.MaxTask)
	}
	if err := s.checkSettings(ctx, c.BrowserSettings, c.AllowedDomains); err != nil {
		return err
	}
	entry, err := s.models.Find(c.Model)
	if err != nil {
		return err
	}
	if c.Limits.Budget.Cost > 0 {
		if err := checkPriced("limits.budget.cost", entry); err != nil {
			return err
		}
	}
	if err := s.checkRunLimits(c.Limits); err != nil {
		return err
	}
	if err := s.checkSession(ctx, c); err != nil {
		return err
	}
	if err := s.checkFiles(ctx, c.Files); err != nil {
		return err
	}
	return s.validateVariables(c.Variables)
}

func (s *service) validateVariables(all map[string]Variable) error {
	l := s.conf.Limits
	if len(all) > l.MaxVariables {
		return errtypes.Field("variables", "must be at most %d", l.MaxVariables)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		v, field := all[name], "variables."+name
		switch {
		case !secrets.ValidName(name):
			return errtypes.Field("variables", "has a name that is not 1 to 64 letters, digits, _ and -: %q", shorten.Bytes(name, 64))
		case len(v.Value) > l.MaxVariable || !utf8.ValidString(v.Value):
			return errtypes.Field(field+".value", "must be at most %d bytes of valid UTF-8", l.MaxVariable)
		case len(v.Description) > l.MaxDescription || !utf8.ValidString(v.Description):
			return errtypes.Field(field+".description", "must be at most %d bytes of valid UTF-8", l.MaxDescription)
		}
		if _, err := readVariable(field, v); err != nil {
			return err
		}
	}
	return nil
}

// maxOrigins is how many origins a variable may have.
const maxOrigins = 20

// readVariable reads what a variable says of itself. Its errors are about the
// field.
func readVariable(field string, v Variable) (held secrets.Variable, err error) {
	held.Value = v.Value
	if len(v.Origins) > maxOrigins {
		return held, errtypes.Field(field+".origins", "must be at most %d", maxOrigins)
	}
	for i, text := range v.Origins {
		o, err := secrets.ParseOrigin(text)
		if err != nil {
			return held, errtypes.Field(fmt.Sprintf("%s.origins[%d]", field, i), "%s: %q", err, shorten.Bytes(text, 200))
		}
		held.Origins = append(held.Origins, o)
	}
	if v.TOTP {
		if held.TOTP, err = secrets.ParseTOTP(v.Value); err != nil {
			return held, errtypes.Field(field+".value", "%s", err)
		}
	}
	return held, nil
}

func (s *service) checkSchema(raw json.RawMessage) (json.RawMessage, error) {
	return schema.Keep(raw, schema.Options{Field: "resultSchema", MaxSize: s.conf.Limits.MaxResultSchema})
}

// hints are the variables as they are stored: without values.
func hints(all map[string]Variable) (list []model.Variable) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		v := all[name]
		hint := model.Variable{Name: name, Description: v.Description, TOTP: v.TOTP}
		held, _ := readVariable("", v) // validated
		for _, o := range held.Origins {
			hint.Origins = append(hint.Origins, o.String())
		}
		list = append(list, hint)
	}
	return list
}
