package v1

import (
	"time"

	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/storage/projects"
)

type projectJSON struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	OwnerID   string   `json:"ownerId"`
	CreatedAt wireTime `json:"createdAt"`
	UpdatedAt wireTime `json:"updatedAt"`
	// Concurrency is how many sessions may be open at a time.
	Concurrency int `json:"concurrency"`
	// DefaultTimeout of a session is in seconds.
	DefaultTimeout int64 `json:"defaultTimeout"`
}

type usageJSON struct {
	BrowserMinutes int64 `json:"browserMinutes"`
	ProxyBytes     int64 `json:"proxyBytes"`
}

// projectOut is a project, which is a user of v2 and so its own owner. It never
// changes.
func (x *exchange) projectOut(p projects.Project) projectJSON {
	l := x.Sessions.Limits()
	return projectJSON{
		ID: p.ID, Name: p.Name, OwnerID: p.UserID, CreatedAt: wireTime(p.CreatedAt), UpdatedAt: wireTime(p.CreatedAt),
		Concurrency: l.PerProject, DefaultTimeout: int64(l.DefaultTimeout / time.Second),
	}
}

// ownProject returns the project of the key, the only one that there is for it.
func (x *exchange) ownProject() (projects.Project, error) {
	p, _ := projects.From(x.R.Context())
	return p, x.checkProject(x.id("projectId"))
}

func listProjects(x *exchange) (answer, error) {
	p, _ := projects.From(x.R.Context())
	return api.OK([]projectJSON{x.projectOut(p)}), nil
}

func getProject(x *exchange) (answer, error) {
	p, err := x.ownProject()
	return api.OK(x.projectOut(p)), err
}

// projectUsage counts whole minutes of all sessions together; one that has begun
// is one.
func projectUsage(x *exchange) (answer, error) {
	if _, err := x.ownProject(); err != nil {
		return answer{}, err
	}
	u, err := x.Sessions.Usage(x.R.Context())
	minutes := int64((u.BrowserTime + time.Minute - 1) / time.Minute)
	return api.OK(usageJSON{minutes, u.ProxyBytes}), err
}
