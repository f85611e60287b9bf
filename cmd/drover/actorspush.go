package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

type actorsPushCmd struct {
	onPrograms
	actorDir
	Actor string `help:"Actor that gets the version, by name or id. Default that of the name in actor.json, which is made where there is none." placeholder:"ACTOR"`
	As    string `name:"version" help:"Version. Default that of actor.json." placeholder:"MAJOR.MINOR"`
	Tag   string `help:"Tag of the build. Default that of actor.json, else latest." placeholder:"TAG"`
}

// Run prints the build's log on standard error as it comes, and what was built.
func (cmd actorsPushCmd) Run(ctx context.Context, c console) error {
	s, err := cmd.load()
	if err != nil {
		return err
	}
	s.def.Name, s.def.Version = cmp.Or(cmd.Actor, s.def.Name), cmp.Or(cmd.As, s.def.Version)
	s.def.BuildTag = cmp.Or(cmd.Tag, s.def.BuildTag)
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		a, build, err := api.push(ctx, c, s, cmd.Actor != "")
		if err != nil {
			return err
		}
		if cmd.JSON {
			return errors.Join(printValue(c.stdout, build), build.failure("build"))
		}
		if err := build.failure("build"); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Built Actor %s %s (build %s) in %v.\n", nameText(a.Name), build.BuildNumber, build.ID, build.took())
		return nil
	})
}

// push sends the Actor and follows its build to the end.
func (a *apiClient) push(ctx context.Context, c console, s actorSource, mustBeThere bool) (actor actorState, build jobState, err error) {
	env, err := environmentOf(s.def.EnvironmentVariables) // before anything is changed
	if err != nil {
		return actor, build, err
	}
	if actor, err = a.actorFor(ctx, c, s.def, mustBeThere); err != nil {
		return actor, build, err
	}
	if err := a.putVersion(ctx, c, actor, s, env); err != nil {
		return actor, build, err
	}
	query := url.Values{"version": {s.def.Version}}
	if s.def.BuildTag != "" {
		query.Set("tag", s.def.BuildTag)
	}
	if err := a.ask(ctx, "POST", "/v2/actors/"+actor.ID+"/builds?"+query.Encode(), nil, &build); err != nil {
		return actor, build, hinted(err)
	}
	fmt.Fprintf(c.stderr, "Build %s of %s\n", build.BuildNumber, nameText(actor.Name))
	id := build.ID
	build, err = a.watchJob(ctx, buildKind, id, c.stderr)
	if ctx.Err() != nil {
		err = errors.Join(&interrupted{"the build is aborted"}, a.abort(ctx, buildKind, id))
	}
	return actor, build, err
}

// actorFor finds the Actor or makes it.
func (a *apiClient) actorFor(ctx context.Context, c console, d actorDefinition, mustBeThere bool) (actor actorState, err error) {
	ref := d.Name
	if !mustBeThere {
		ref = "~" + ref // a name, whatever ids there are
	}
	there, err := a.find(ctx, "/v2/actors", ref, &actor)
	switch {
	case err != nil || there:
		return actor, err
	case mustBeThere:
		return actor, missing("Actor", d.Name, "drover actors list")
	}
	body := map[string]any{"name": d.Name}
	for name, text := range map[string]string{"title": d.Title, "description": d.Description} {
		if text != "" {
			body[name] = text
		}
	}
	if err := a.ask(ctx, "POST", "/v2/actors", body, &actor); err != nil {
		return actor, err
	}
	fmt.Fprintf(c.stderr, "Made Actor %s (%s)\n", nameText(actor.Name), actor.ID)
	return actor, nil
}

// putVersion makes the version, or puts the source in the place of what it has.
func (a *apiClient) putVersion(ctx context.Context, c console, actor actorState, s actorSource, env []envVar) error {
	body := map[string]any{"versionNumber": s.def.Version}
	if s.def.BuildTag != "" {
		body["buildTag"] = s.def.BuildTag
	}
	if env != nil {
		body["envVars"] = env
	}
	fmt.Fprintf(c.stderr, "Sending %d files, %s\n", len(s.files), bytesText(s.size))
	if err := a.addSource(ctx, actor, s, body); err != nil {
		return err
	}
	versions := "/v2/actors/" + actor.ID + "/versions"
	err := a.ask(ctx, "PUT", versions+"/"+url.PathEscape(s.def.Version), body, nil)
	if isMissing(err) {
		err = a.ask(ctx, "POST", versions, body, nil)
	}
	return err
}

// What is sent file by file; more is sent as an archive. The service takes 1,000 files
// of 8 MiB, and bodies of 9 MB, in which files that are no text take more.
const (
	maxFilesSent = 1000
	maxBytesSent = 3 << 20
)

// addSource adds the source to a version: its files, or where their archive is.
func (a *apiClient) addSource(ctx context.Context, actor actorState, s actorSource, version map[string]any) (err error) {
	if len(s.files) <= maxFilesSent && s.size <= maxBytesSent {
		version["sourceType"] = "SOURCE_FILES"
		version["sourceFiles"], err = s.asFiles()
		return err
	}
	version["sourceType"] = "TARBALL"
	version["tarballUrl"], err = a.putArchive(ctx, actor, s)
	return err
}

// putArchive puts the archive into a key-value store, and returns where the build finds
// it.
func (a *apiClient) putArchive(ctx context.Context, actor actorState, s actorSource) (string, error) {
	var store storeState
	name := "actor-" + actor.ID + "-source"
	if err := a.ask(ctx, "POST", keyValueKind.path+"?name="+name, nil, &store); err != nil {
		return "", err
	}
	store = store.of(keyValueKind)
	var archive bytes.Buffer
	if err := s.archive(&archive); err != nil {
		return "", err
	}
	key := "version-" + s.def.Version + ".tar.gz"
	if err := a.post(ctx, "PUT", store.path("/records/"+url.PathEscape(key)), "application/gzip", archive.Bytes(), nil); err != nil {
		return "", err
	}
	var at string
	err := a.keys(ctx, store, key, func(page []storeKey) error {
		for _, k := range page {
			if k.Key == key {
				at = k.URL
			}
		}
		return nil
	})
	if err == nil && at == "" {
		err = errors.New("the archive is gone that was sent")
	}
	return at, err
}

// envVar is a variable of a version.
type envVar struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Secret bool   `json:"isSecret"`
}

// environmentOf are the variables of actor.json; nil where it says nothing of them, so
// that those of the version stay. A value such as "@TOKEN" is a secret: that of the
// variable TOKEN of whoever pushes.
func environmentOf(all map[string]string) (env []envVar, err error) {
	if all != nil {
		env = []envVar{}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		v := envVar{Name: name, Value: all[name]}
		if from, secret := strings.CutPrefix(v.Value, "@"); secret {
			if v.Value, v.Secret = os.LookupEnv(from); !v.Secret {
				return nil, errtypes.New(errtypes.Invalid, "actor.json has %s take its value from the variable %s, which is not set", name, from)
			}
		}
		env = append(env, v)
	}
	return env, nil
}
