package platform

import (
	"fmt"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/internal/wire/request"
	"github.com/drover-go/drover/runs/actors"
)

const oneActor = "/v2/actors/{actorId}"

// actorRoutes are Actors, their versions, and the environments of these
// (wire-v2-stores, 10).
var actorRoutes = []Route{
	{Method: "GET", Pattern: "/v2/actors", call: listActors},
	{Method: "POST", Pattern: "/v2/actors", call: createActor},
	{Method: "GET", Pattern: oneActor, call: getActor, open: true},
	{Method: "PUT", Pattern: oneActor, call: updateActor},
	{Method: "DELETE", Pattern: oneActor, call: deleteActor},

	{Method: "GET", Pattern: oneActor + "/versions", call: listVersions},
	{Method: "POST", Pattern: oneActor + "/versions", call: createVersion},
	{Method: "GET", Pattern: oneVersion, call: getVersion},
	{Method: "PUT", Pattern: oneVersion, call: updateVersion},
	{Method: "POST", Pattern: oneVersion, call: updateVersion}, // as older clients do
	{Method: "DELETE", Pattern: oneVersion, call: deleteVersion},

	{Method: "GET", Pattern: oneVersion + "/env-vars", call: listEnvVars},
	{Method: "POST", Pattern: oneVersion + "/env-vars", call: createEnvVar},
	{Method: "GET", Pattern: oneEnvVar, call: getEnvVar},
	{Method: "PUT", Pattern: oneEnvVar, call: updateEnvVar},
	{Method: "POST", Pattern: oneEnvVar, call: updateEnvVar},
	{Method: "DELETE", Pattern: oneEnvVar, call: deleteEnvVar},
}

// filterIn is a part of a list.
func filterIn(q *request.Query) actors.Filter {
	offset, limit, desc := pageIn(q)
	return actors.Filter{Offset: offset, Limit: min(limit, maxPage), Desc: desc}
}

// lastRunOrder is the name of an order.
const lastRunOrder = "stats.lastRunStartedAt"

// maxPage is the largest page of a list, and the one where none is asked for
// (DECISIONS 23).
const maxPage = 1000

// pageOf is a part of a list as a page.
func pageOf[A, B any](l actors.List[A], f actors.Filter, out func(A) B) pageJSON[B] {
	if f.Limit == 0 {
		f.Limit = maxPage
	}
	return pageJSON[B]{l.Total, f.Offset, f.Limit, f.Desc, len(l.Items), api.Each(l.Items, out)}
}

func listActors(x *exchange) (answer, error) {
	q := x.Query()
	f := filterIn(q)
	q.Flag("my") // all Actors are
	if q.OneOf("sortBy", "createdAt", lastRunOrder) == lastRunOrder {
		f.Order = actors.ByLastRun
	}
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	l, err := x.Actors.Actors(x.R.Context(), f)
	return data(pageOf(l, f, x.actorItem)), err
}

// createActor gives an Actor a name where it has none.
func createActor(x *exchange) (answer, error) {
	c, tags := actors.CreateActor{}, map[string]string{}
	if _, err := x.OptionalBody(actorIn(&c.Details, strictjson.Fields{
		"name": strictjson.String(&c.Name), "versions": versionsIn(&c.Versions), "taggedBuilds": tagsIn(&tags),
	})); err != nil {
		return answer{}, err
	}
	for tag, id := range tags {
		if id != "" {
			return answer{}, errtypes.Field("taggedBuilds", "%.100q names a build, and a new Actor has none", tag)
		}
	}
	a, err := x.named(c)
	if err != nil {
		return answer{}, err
	}
	x.W.Header().Set("Location", x.Base()+"/v2/actors/"+a.ID)
	return api.Created(dataOf(x.actorOut(a))), nil
}

// named makes an Actor with its name, or the first that is free: my-actor,
// my-actor-1 and so on.
func (x *exchange) named(c actors.CreateActor) (a actors.Actor, err error) {
	const tries = 1000
	nameless := c.Name == ""
	for n := range tries {
		if nameless {
			c.Name = "my-actor"
		}
		if nameless && n > 0 {
			c.Name = fmt.Sprintf("my-actor-%d", n)
		}
		a, err = x.Actors.CreateActor(x.R.Context(), c)
		if !nameless || errtypes.Public(err).Type != errtypes.TypeActorNameNotUnique {
			break
		}
	}
	return a, err
}

func getActor(x *exchange) (answer, error) {
	a, err := x.Actors.Actor(x.R.Context(), x.Path("actorId"))
	if err == nil {
		a, err = x.shown(a)
	}
	return data(x.actorOut(a)), err
}

// updateActor decodes the details again where they lie, so that what is not given
// stays.
func updateActor(x *exchange) (answer, error) {
	var u actors.UpdateActor
	body, err := x.JSON()
	if err == nil && body != nil {
		err = x.Decode(body, actorIn(new(actors.Details), strictjson.Fields{
			"name": strictjson.StringPtr(&u.Name), "versions": versionsIn(&u.Versions), "taggedBuilds": tagsIn(&u.Tags),
		}))
		u.Change = func(d *actors.Details) { _ = x.Decode(body, actorIn(d, strictjson.Fields{})) } // has been decoded before
	}
	if err != nil {
		return answer{}, err
	}
	a, err := x.Actors.UpdateActor(x.R.Context(), x.Path("actorId"), u)
	return data(x.actorOut(a)), err
}

func deleteActor(x *exchange) (answer, error) {
	return api.NoContent(), x.Actors.DeleteActor(x.R.Context(), x.Path("actorId"))
}

// actorIn changes those of the details that are given, and reads more.
func actorIn(d *actors.Details, more strictjson.Fields) strictjson.Value {
	var categories []string
	for name, v := range map[string]strictjson.Value{
		"title": textIn(&d.Title), "description": textIn(&d.Description), "seoTitle": textIn(&d.SEOTitle), "seoDescription": textIn(&d.SEODescription),
		"categories": strictjson.Then(strictjson.Texts(&categories), func() { d.Categories = categories }),
		"isPublic":   strictjson.Bool(&d.Public), "isDeprecated": strictjson.Bool(&d.Deprecated),
		"actorPermissionLevel": strictjson.OneOf(&d.Permissions, actors.LimitedPermissions, actors.FullPermissions),
		"defaultRunOptions":    runOptionsIn(&d.Runs), "exampleRunInput": exampleIn(&d.Example),
		"actorStandby": standbyIn(&d.Standby), "pricingInfos": pricingsIn(&d.Pricings),
	} {
		more[name] = v
	}
	return strictjson.Open(more)
}

// tagsIn are changes of tags: each names a build, or with null none.
func tagsIn(tags *map[string]string) strictjson.Value {
	return strictjson.Map(func(tag string, read func(strictjson.Value) error) error {
		var id string
		err := read(strictjson.OrNull(strictjson.Open(strictjson.Fields{"buildId": strictjson.Text(&id)}, "buildId"), func() {}))
		if *tags == nil {
			*tags = map[string]string{}
		}
		(*tags)[tag] = id
		return err
	})
}

// textIn is a text; null is an empty one.
func textIn(s *string) strictjson.Value {
	return strictjson.OrNull(strictjson.String(s), func() { *s = "" })
}

// exampleIn changes what is given of an example; null takes it away. Clients send an empty
// object for none.
func exampleIn(to **actors.Input) strictjson.Value {
	var body, contentType *string
	return strictjson.OrNull(strictjson.Then(strictjson.Open(strictjson.Fields{
		"body": strictjson.StringPtr(&body), "contentType": strictjson.StringPtr(&contentType),
	}), func() {
		if body == nil && contentType == nil {
			return
		}
		var in actors.Input
		if *to != nil {
			in = **to
		}
		if body != nil {
			in.Body = []byte(*body)
		}
		if contentType != nil {
			in.ContentType = *contentType
		}
		*to = &in
	}), func() { *to = nil })
}
