package platform

import (
	"cmp"
	"time"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/projects"
)

// actorItemJSON is an Actor in a list. Clients show the title: it is the name where there
// is none.
type actorItemJSON struct {
	ID         string         `json:"id"`
	Name       string         `json:"name"`
	Username   string         `json:"username"`
	Title      string         `json:"title"`
	CreatedAt  api.Time       `json:"createdAt"`
	ModifiedAt api.Time       `json:"modifiedAt"`
	Stats      actorStatsJSON `json:"stats"`
}

// actorStatsJSON counts what there is to count. There is one user, the project.
type actorStatsJSON struct {
	TotalBuilds      int64     `json:"totalBuilds"`
	TotalRuns        int64     `json:"totalRuns"`
	TotalUsers       int       `json:"totalUsers"`
	Users7Days       int       `json:"totalUsers7Days"`
	Users30Days      int       `json:"totalUsers30Days"`
	Users90Days      int       `json:"totalUsers90Days"`
	LastRunStartedAt *api.Time `json:"lastRunStartedAt,omitempty"`
}

func (x *exchange) actorStats(s actors.ActorStats) actorStatsJSON {
	users := func(days int) int {
		if x.opts.Clock.Now().Sub(s.LastRunAt) < time.Duration(days)*24*time.Hour {
			return 1
		}
		return 0
	}
	return actorStatsJSON{s.Builds, s.Runs, 1, users(7), users(30), users(90), api.OptionalTime(s.LastRunAt)}
}

type actorJSON struct {
	actorItemJSON
	UserID         string                `json:"userId"`
	Description    string                `json:"description,omitempty"`
	SEOTitle       string                `json:"seoTitle,omitempty"`
	SEODescription string                `json:"seoDescription,omitempty"`
	Categories     []string              `json:"categories,omitempty"`
	IsPublic       bool                  `json:"isPublic"`
	IsDeprecated   bool                  `json:"isDeprecated"`
	Permissions    actors.Permissions    `json:"actorPermissionLevel"`
	Runs           runOptionsJSON        `json:"defaultRunOptions"`
	Example        *exampleJSON          `json:"exampleRunInput,omitempty"`
	Standby        *standbyJSON          `json:"actorStandby,omitempty"`
	Pricings       []*pricingJSON        `json:"pricingInfos,omitempty"`
	TaggedBuilds   map[string]taggedJSON `json:"taggedBuilds"`
	Versions       []versionJSON         `json:"versions"`
}

type exampleJSON struct {
	Body        string `json:"body"`
	ContentType string `json:"contentType"`
}

// user is the project of the call, as a user.
func (x *exchange) user() projects.Project {
	p, _ := projects.From(x.R.Context())
	return p
}

func (x *exchange) actorItem(a actors.Actor) actorItemJSON {
	return actorItemJSON{
		ID: a.ID, Name: a.Name, Username: x.user().Username, Title: cmp.Or(a.Title, a.Name),
		CreatedAt: api.Time(a.CreatedAt), ModifiedAt: api.Time(a.ModifiedAt), Stats: x.actorStats(a.Stats),
	}
}

func (x *exchange) actorOut(a actors.Actor) actorJSON {
	out := actorJSON{
		actorItemJSON: x.actorItem(a), UserID: x.user().UserID, Description: a.Description, SEOTitle: a.SEOTitle, SEODescription: a.SEODescription,
		Categories: a.Categories, IsPublic: a.Public, IsDeprecated: a.Deprecated, Permissions: a.Permissions,
		Standby: standbyOut(a.Standby), Pricings: api.Each(a.Pricings, pricingOut),
		Runs: runOptionsOut(a.Runs.Or(usualOptions)), TaggedBuilds: tagsOut(a.Tags), Versions: api.Each(a.Versions, versionOut),
	}
	if a.Example != nil {
		out.Example = &exampleJSON{string(a.Example.Body), a.Example.ContentType}
	}
	return out
}
