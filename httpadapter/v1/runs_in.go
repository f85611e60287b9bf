package v1

import (
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/sessions/settingsjson"
)

// runCreateIn is the body of a new run. Its objects are closed, but for the
// rules of proxies.
func runCreateIn(c *runs.Create) strictjson.Value {
	return strictjson.Closed(strictjson.Fields{
		"task":            strictjson.Text(&c.Task),
		"agentId":         idIn(&c.AgentID),
		"resultSchema":    strictjson.RawObject(&c.ResultSchema),
		"browserSettings": settingsIn(&c.BrowserSettings),
		"variables":       variablesIn(&c.Variables),
		"model":           strictjson.Text(&c.Model),
		"limits":          limitsIn(&c.Limits),
		"sessionId":       idIn(&c.SessionID),
		"keepSession":     strictjson.Bool(&c.KeepSession),
		"allowedDomains":  strictjson.Texts(&c.AllowedDomains),
	}, "task")
}

func settingsIn(s *runs.BrowserSettings) strictjson.Value {
	return strictjson.Closed(strictjson.Fields{
		"context":  settingsjson.Context(&s.Context),
		"proxies":  settingsjson.Proxies(&s.Proxies),
		"verified": strictjson.Bool(&s.Verified),
	})
}

func variablesIn(dst *map[string]runs.Variable) strictjson.Value {
	return strictjson.Map(func(name string, read func(strictjson.Value) error) error {
		var v runs.Variable
		nowhere := false
		err := read(strictjson.Closed(strictjson.Fields{
			"value":       strictjson.String(&v.Value),
			"description": strictjson.String(&v.Description),
			"origins":     strictjson.Then(strictjson.Texts(&v.Origins), func() { nowhere = len(v.Origins) == 0 }),
			"totp":        strictjson.Bool(&v.TOTP),
		}, "value"))
		if *dst == nil {
			*dst = map[string]runs.Variable{}
		}
		(*dst)[name] = v
		if err == nil && nowhere { // to the library, no origins are all
			err = errtypes.Field("variables."+name+".origins", "must have at least one; leave it out for anywhere")
		}
		return err
	})
}

func runFilterIn(x *exchange) (runs.Filter, error) {
	q := x.Query()
	return runs.Filter{
		Status: runs.Status(q.OneOf("status", statuses()...)), AgentID: ids.Canonical(q.String("agentId")),
		StartAt: q.Time("startAt"), EndAt: q.Time("endAt"), Limit: q.Int("limit", 1, maxPage), Cursor: q.String("cursor"),
	}, q.Err()
}

func statuses() []string {
	return each(runs.Statuses(), func(s runs.Status) string { return string(s) })
}

// messageFilterIn does not even look at the limit when all are asked for
// (DECISIONS 14).
func messageFilterIn(x *exchange) (runs.MessageFilter, error) {
	q := x.Query()
	f := runs.MessageFilter{Since: ids.Canonical(q.String("since")), All: q.Bool("all")}
	if !f.All {
		f.Limit = q.Int("limit", 1, maxMessagePage)
	}
	return f, q.Err()
}
