package platform

import (
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/projects"
)

// userRoutes are the caller's own project.
var userRoutes = append(open(anybody,
	Route{Method: "GET", Pattern: "/v2/users/me", call: ownUser},
	Route{Method: "GET", Pattern: "/v2/users/{userId}", call: publicUser},
),
	Route{Method: "GET", Pattern: "/v2/users/me/limits", call: getLimits},
	Route{Method: "PUT", Pattern: "/v2/users/me/limits", call: updateLimits},
	Route{Method: "GET", Pattern: "/v2/users/me/usage/monthly", call: getUsage},
)

// userJSON is a project as others see it.
type userJSON struct {
	ID       string       `json:"id"`
	Username string       `json:"username"`
	Profile  *profileJSON `json:"profile,omitempty"`
}

type profileJSON struct {
	Name string `json:"name"`
}

// ownUserJSON is a project as it sees itself. There is nothing to pay, and so the
// plan is one that has everything.
type ownUserJSON struct {
	userJSON
	CreatedAt api.Time               `json:"createdAt"`
	IsPaying  bool                   `json:"isPaying"`
	Plan      *planJSON              `json:"plan,omitempty"`
	Proxy     proxyJSON              `json:"proxy"`
	Features  map[string]featureJSON `json:"effectivePlatformFeatures"`
}

type planJSON struct {
	ID                   string         `json:"id"`
	AvailableProxyGroups map[string]int `json:"availableProxyGroups"`
}

type proxyJSON struct {
	Password string     `json:"password,omitempty"` // of runs alone
	Groups   []struct{} `json:"groups"`
}

type featureJSON struct {
	IsEnabled          bool    `json:"isEnabled"`
	DisabledReason     *string `json:"disabledReason"`
	DisabledReasonType *string `json:"disabledReasonType"`
	IsTrial            bool    `json:"isTrial"`
	TrialExpirationAt  *string `json:"trialExpirationAt"`
}

// features are what the clients ask about (wire-v2-stores, 5), each with whether
// there is such a thing here.
var features = map[string]bool{
	"ACTORS": true, "STORAGE": true, "SCHEDULER": true, "WEBHOOKS": true, "PROXY": false, "PROXY_EXTERNAL_ACCESS": false,
	"PROXY_RESIDENTIAL": false, "PROXY_SERPS": false, "ACTORS_PUBLIC_ALL": false, "ACTORS_PUBLIC_DEVELOPER": false,
}

func featuresOut() map[string]featureJSON {
	out := map[string]featureJSON{}
	for name, there := range features {
		f := featureJSON{IsEnabled: there}
		if !there {
			reason := "this server has no such feature"
			f.DisabledReason = &reason
		}
		out[name] = f
	}
	return out
}

func userOut(p projects.Project) userJSON {
	return userJSON{p.UserID, p.Username, &profileJSON{p.Name}}
}

// ownUser leaves out for runs what is not theirs to know (wire-v2-stores, 5).
func ownUser(x *exchange) (answer, error) {
	p := x.user()
	out := ownUserJSON{userJSON: userOut(p), CreatedAt: api.Time(p.CreatedAt), Features: featuresOut(), Proxy: proxyJSON{Groups: []struct{}{}}}
	if caller, isRun := actors.CallerFrom(x.R.Context()); isRun {
		out.Profile, out.Proxy.Password = nil, caller.ProxyPassword
	} else {
		out.Plan = &planJSON{ID: "SELF_HOSTED", AvailableProxyGroups: map[string]int{}}
	}
	return data(out), nil
}

// publicUser is the caller's own project by id or username: others do not exist
// for it.
func publicUser(x *exchange) (answer, error) {
	p := x.user()
	if ref := x.Path("userId"); ref != p.UserID && !strings.EqualFold(ref, p.Username) {
		return answer{}, errtypes.New(errtypes.NotFound, "there is no user %q", ref).WithType(errtypes.TypeRecordNotFound)
	}
	return data(userOut(p)), nil
}

// data is an answer in the form of nearly all of this interface.
func data(body any) answer {
	return api.OK(dataOf(body))
}

func dataOf(body any) any {
	return struct {
		Data any `json:"data"`
	}{body}
}
