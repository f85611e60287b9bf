package actors

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestAnActorIsWhatItWasMadeOf(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		w := open(t, db, Limits{})
		yes, minute := true, time.Minute
		details := Details{
			Title: "Größe", Description: "What it does", SEOTitle: "s", SEODescription: "d", Categories: []string{"AI"}, Public: true, Deprecated: true,
			Permissions: FullPermissions, Runs: RunOptions{Build: "beta", Timeout: &minute, Memory: 256, MaxItems: 7, MaxTotalCharge: 1.5, RestartOnError: &yes},
			Example: &Input{[]byte(`{"a":1}`), "application/json"},
		}
		versions := []Version{
			{Number: "0.1", SourceType: SourceFiles, BuildTag: "latest", Files: []SourceFile{{Name: "main.js", Content: "1"}, {Name: "bin", Folder: true}, {Name: "x", Content: "AA==", Base64: true}}},
			{Number: "0.10", SourceType: Tarball, BuildTag: "beta", TarballURL: "https://example.com/a.zip", EnvVars: []EnvVar{{Name: "B", Value: "2"}, {Name: "A", Value: "hidden", Secret: true}}, EnvVarsAtBuild: true},
			{Number: "0.2", SourceType: SourceFiles, BuildTag: "latest"},
		}
		made := must(w.CreateActor(t.Context(), CreateActor{Name: "My-Actor", Details: details, Versions: versions}))(t)
		want := Actor{ID: made.ID, ProjectID: made.ProjectID, Name: "My-Actor", Details: details, Versions: []Version{versions[0], versions[2], versions[1]}, CreatedAt: w.clock.Now(), ModifiedAt: w.clock.Now()}
		want.Versions[2].EnvVars = []EnvVar{{Name: "B", Value: "2"}, {Name: "A", Secret: true}}
		for _, ref := range []string{made.ID, "~my-actor", "default~MY-ACTOR", "default/my-actor"} {
			if diff := cmp.Diff(want, must(w.Actor(t.Context(), ref))(t), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s:\n%s", ref, diff)
			}
		}
		for _, ref := range []string{"my-actor", "other~my-actor", "~", "~nothing", "", strings.ToLower(made.ID)} {
			_, err := w.Actor(t.Context(), ref)
			fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no Actor")
		}
		_, err := w.Actor(w.other(t), made.ID)
		fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no Actor")
	})
}

func TestNamesAreUniqueWhateverTheirCase(t *testing.T) {
	t.Parallel()
	w := open(t, storagetest.Open(t), Limits{PerProject: 3})
	w.actor(t, "one")
	two := w.actor(t, "two")
	_, err := w.CreateActor(t.Context(), CreateActor{Name: "ONE"})
	fails(t, err, errtypes.Conflict, errtypes.TypeActorNameNotUnique, `"ONE"`)
	_, err = w.UpdateActor(t.Context(), two.ID, UpdateActor{Name: new("One")})
	fails(t, err, errtypes.Conflict, errtypes.TypeActorNameNotUnique, `"One"`)
	if a := must(w.UpdateActor(t.Context(), "~two", UpdateActor{Name: new("TWO")}))(t); a.Name != "TWO" {
		t.Errorf("%+v", a)
	}
	must(w.CreateActor(w.other(t), CreateActor{Name: "one"}))(t)
	w.actor(t, "three")
	_, err = w.CreateActor(t.Context(), CreateActor{Name: "four"})
	fails(t, err, errtypes.Forbidden, errtypes.TypeTooManyActors, "3 Actors")
	_, err = w.CreateActor(t.Context(), CreateActor{Name: "one"})
	fails(t, err, errtypes.Conflict, errtypes.TypeActorNameNotUnique, `"one"`)
}

func TestWhatIsWrongWithAnActorIsNamed(t *testing.T) {
	t.Parallel()
	w := open(t, storagetest.Open(t), Limits{MaxSource: 100, Versions: 2})
	second, half := time.Second, time.Second/2
	minus := -second
	for words, c := range map[string]CreateActor{
		"name must be":                  {Name: "ab"},
		"neither beginning nor ending":  {Name: "abc-"},
		"title must be at most 63":      {Name: "abc", Details: Details{Title: strings.Repeat("ü", 64)}},
		"description must be":           {Name: "abc", Details: Details{Description: "\xff"}},
		"actorPermissionLevel must be":  {Name: "abc", Details: Details{Permissions: "ALL"}},
		"memory must be a power of two": {Name: "abc", Details: Details{Runs: RunOptions{Memory: 1000}}},
		"from 128 to 32768":             {Name: "abc", Details: Details{Runs: RunOptions{Memory: 64}}},
		"timeout must be whole":         {Name: "abc", Details: Details{Runs: RunOptions{Timeout: &half}}},
		"timeout must be":               {Name: "abc", Details: Details{Runs: RunOptions{Timeout: &minus}}},
		"build must be a tag":           {Name: "abc", Details: Details{Runs: RunOptions{Build: "-"}}},
		"versionNumber must be":         {Name: "abc", Versions: []Version{{Number: "00.1"}}},
		"sourceType must be":            {Name: "abc", Versions: []Version{{Number: "0.1", SourceType: "GIT_REPO"}}},
		"tarballUrl must be":            {Name: "abc", Versions: []Version{{Number: "0.1", SourceType: Tarball, TarballURL: "file:///etc"}}},
		"buildTag must be":              {Name: "abc", Versions: []Version{{Number: "0.1", BuildTag: strings.Repeat("x", 31)}}},
		"below the root":                {Name: "abc", Versions: []Version{{Number: "0.1", Files: []SourceFile{{Name: "a/../../b"}}}}},
		"is there twice":                {Name: "abc", Versions: []Version{{Number: "0.1", Files: []SourceFile{{Name: "a"}, {Name: "./a"}}}}},
		"not valid base64":              {Name: "abc", Versions: []Version{{Number: "0.1", Files: []SourceFile{{Name: "a", Base64: true, Content: "?"}}}}},
		"a name must be":                {Name: "abc", Versions: []Version{{Number: "0.1", EnvVars: []EnvVar{{Name: "1A"}}}}},
		"without zero bytes":            {Name: "abc", Versions: []Version{{Number: "0.1", EnvVars: []EnvVar{{Name: "A", Value: "\x00"}}}}},
		"A is there twice":              {Name: "abc", Versions: []Version{{Number: "0.1", EnvVars: []EnvVar{{Name: "A"}, {Name: "A"}}}}},
	} {
		_, err := w.CreateActor(t.Context(), c)
		fails(t, err, errtypes.Invalid, "", words)
	}
	_, err := w.CreateActor(t.Context(), CreateActor{Name: "abc", Details: Details{Runs: RunOptions{MaxItems: -1}}})
	fails(t, err, errtypes.Invalid, errtypes.TypeMaxItemsMustBeGreaterThanZero, "maxItems")
	_, err = w.CreateActor(t.Context(), CreateActor{Name: "abc", Versions: []Version{{Number: "0.1", Files: []SourceFile{{Name: "a", Content: strings.Repeat("x", 100)}}}}})
	fails(t, err, errtypes.Forbidden, errtypes.TypeVersionsSizeExceeded, "100 bytes")
	_, err = w.CreateActor(t.Context(), CreateActor{Name: "abc", Versions: []Version{{Number: "0.1"}, {Number: "0.1"}}})
	fails(t, err, errtypes.Forbidden, errtypes.TypeVersionAlreadyExists, "0.1")
	_, err = w.CreateActor(t.Context(), CreateActor{Name: "abc", Versions: make([]Version, 3)})
	fails(t, err, errtypes.Forbidden, errtypes.TypeTooManyVersions, "2 versions")
	if l := must(w.Actors(t.Context(), Filter{}))(t); l.Total != 0 {
		t.Errorf("%d Actors came of it", l.Total)
	}
}

func TestActorsAreListedInOrder(t *testing.T) {
	t.Parallel()
	w := open(t, storagetest.Open(t), Limits{})
	for i := range 5 {
		w.actor(t, fmt.Sprintf("actor-%d", i))
	}
	for _, c := range []struct {
		f    Filter
		want string
	}{
		{Filter{}, "0 1 2 3 4"}, {Filter{Desc: true}, "4 3 2 1 0"}, {Filter{Offset: 1, Limit: 2}, "1 2"}, {Filter{Offset: 3, Desc: true}, "1 0"}, {Filter{Offset: 9}, ""},
	} {
		var names []string
		l := must(w.Actors(t.Context(), c.f))(t)
		for _, a := range l.Items {
			names = append(names, strings.TrimPrefix(a.Name, "actor-"))
		}
		if got := strings.Join(names, " "); got != c.want || l.Total != 5 || l.Items == nil {
			t.Errorf("%+v: %s of %d", c.f, got, l.Total)
		}
	}
	for _, f := range []Filter{{Offset: -1}, {Limit: -1}, {Limit: 1001}} {
		_, err := w.Actors(t.Context(), f)
		fails(t, err, errtypes.Invalid, "", "must be")
	}
}

// Changes of different details all stay, whoever makes them at the same time.
func TestChangesOfAnActorAddUp(t *testing.T) {
	t.Parallel()
	w := open(t, storagetest.OpenFile(t), Limits{})
	a := w.actor(t, "one", Version{Number: "0.1"})
	const each = 10
	var writers sync.WaitGroup
	for range each {
		writers.Go(func() {
			must(w.UpdateActor(t.Context(), a.ID, UpdateActor{Change: func(d *Details) { d.Title += "x" }}))(t)
			must(w.UpdateActor(t.Context(), a.ID, UpdateActor{Change: func(d *Details) { d.Description += "y" }}))(t)
		})
	}
	writers.Wait()
	got := must(w.Actor(t.Context(), a.ID))(t)
	if len(got.Title) != each || len(got.Description) != each || len(got.Versions) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestADeletedActorLeavesNothing(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		w := open(t, db, Limits{})
		large := SourceFile{Name: "large", Content: strings.Repeat("x", 100_000)}
		a := w.actor(t, "one", Version{Number: "0.1", Files: []SourceFile{large}, EnvVars: []EnvVar{{Name: "A"}}})
		task := w.task(t, CreateTask{Actor: a.ID, Input: []byte(`{"x":"` + large.Content + `"}`)})
		if n := w.blobCount(t); n != 2 {
			t.Errorf("%d blobs", n)
		}
		for range 2 {
			err := w.DeleteActor(t.Context(), "~one")
			if a.Name == "one" {
				must(0, err)(t)
				a.Name = ""
				continue
			}
			fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no Actor")
		}
		_, err := w.Task(t.Context(), task.ID)
		fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no task")
		for e, err := range w.blobs.All(t.Context()) {
			if named := must(storage.ReadOne(t.Context(), db, func(ctx ctxt, q storage.Querier) (bool, error) { return blobColumns.Named(ctx, q, e.Key) }))(t); named || err != nil {
				t.Errorf("%t %v", named, err)
			}
		}
	})
}
