package agents

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fixture is the service on a real database with a clock that a test moves.
type fixture struct {
	Service
	clock    *clock.Manual
	projects projects.Service
}

func open(t *testing.T, o storage.Options) fixture {
	t.Helper()
	c := clock.NewManual(noon)
	o.Clock = c
	db := storagetest.OpenWith(t, o)
	callers, err := projects.New(t.Context(), db, projects.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(t.Context(), db, callers, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return fixture{s, c, callers}
}

func each(t *testing.T, test func(t *testing.T, f fixture)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { test(t, open(t, storage.Options{})) })
	t.Run("file", func(t *testing.T) { test(t, open(t, storage.Options{Dir: t.TempDir()})) })
}

func (f fixture) make(t *testing.T, ctx context.Context, name string) Agent {
	t.Helper()
	a, err := f.Create(ctx, Create{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func names(list []Agent) (all []string) {
	for _, a := range list {
		all = append(all, a.Name)
	}
	return all
}

func TestAgentComesBackAsItWasMade(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		a, err := f.Create(t.Context(), Create{
			Name: "Prices", SystemPrompt: "Be brief.", ResultSchema: json.RawMessage(`{ "type" : "object" }`),
		})
		if err != nil {
			t.Fatal(err)
		}
		want := Agent{
			ID: a.ID, Name: "Prices", SystemPrompt: "Be brief.", ResultSchema: json.RawMessage(`{"type":"object"}`),
			CreatedAt: noon, UpdatedAt: noon,
		}
		got, err := f.Get(t.Context(), a.ID)
		if err != nil || !ids.Valid(a.ID) {
			t.Fatal(a.ID, err)
		}
		for _, agent := range []Agent{a, got} {
			if diff := cmp.Diff(want, agent); diff != "" {
				t.Error(diff)
			}
		}
	})
}

func TestBadFieldsAreRefusedByName(t *testing.T) {
	f := open(t, storage.Options{})
	a := f.make(t, t.Context(), "a")
	long, tooLong := strings.Repeat("ü", 255), strings.Repeat("ü", 256)
	f.make(t, t.Context(), long)
	for name, test := range map[string]struct {
		create Create
		update Update
		field  string
	}{
		"no name":       {Create{}, Update{Name: new("")}, "name"},
		"long name":     {Create{Name: tooLong}, Update{Name: &tooLong}, "name"},
		"broken name":   {Create{Name: "\xff"}, Update{Name: new("\xff")}, "name"},
		"broken prompt": {Create{Name: "x", SystemPrompt: "\xff"}, Update{SystemPrompt: new("")}, "systemPrompt"},
		"long prompt":   {Create{Name: "x", SystemPrompt: strings.Repeat("x", 64<<10+1)}, Update{SystemPrompt: new(strings.Repeat("x", 64<<10+1))}, "systemPrompt"},
		"no object":     {Create{Name: "x", ResultSchema: json.RawMessage(`true`)}, Update{ResultSchema: json.RawMessage(`[]`)}, "resultSchema"},
		"no schema":     {Create{Name: "x", ResultSchema: json.RawMessage(`{"type":"what"}`)}, Update{ResultSchema: json.RawMessage(`{"$ref":"file:///etc/passwd"}`)}, "resultSchema"},
		"no JSON":       {Create{Name: "x", ResultSchema: json.RawMessage(`{`)}, Update{ResultSchema: json.RawMessage(`{"a":}`)}, "resultSchema"},
	} {
		_, createErr := f.Create(t.Context(), test.create)
		_, updateErr := f.Update(t.Context(), a.ID, test.update)
		for _, err := range []error{createErr, updateErr} {
			pub := errtypes.Public(err)
			if pub.Kind != errtypes.Invalid || !strings.HasPrefix(pub.Message, test.field) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if got, _ := f.Get(t.Context(), a.ID); !cmp.Equal(got, a) {
		t.Errorf("a refused update changed the agent: %+v", got)
	}
}

func TestUpdateChangesOnlyWhatIsGiven(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		a, err := f.Create(t.Context(), Create{Name: "a", SystemPrompt: "p", ResultSchema: json.RawMessage(`{}`)})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Update(t.Context(), a.ID, Update{}); err != nil || !cmp.Equal(got, a) {
			t.Errorf("no change: %+v, %v", got, err)
		}
		f.clock.Advance(time.Second)
		steps := []struct {
			u    Update
			want func(*Agent)
		}{
			{Update{Name: new("b")}, func(a *Agent) { a.Name = "b" }},
			{Update{SystemPrompt: new("q")}, func(a *Agent) { a.SystemPrompt = "q" }},
			{Update{ResultSchema: json.RawMessage(`{"type":"object"}`)}, func(a *Agent) { a.ResultSchema = json.RawMessage(`{"type":"object"}`) }},
		}
		want := a
		want.UpdatedAt = noon.Add(time.Second)
		for _, step := range steps {
			step.want(&want)
			got, err := f.Update(t.Context(), a.ID, step.u)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%v %s", err, diff)
			}
		}
	})
}

func TestDeleteIsIdempotent(t *testing.T) {
	f := open(t, storage.Options{})
	a := f.make(t, t.Context(), "a")
	for _, id := range []string{a.ID, a.ID, "none", ""} {
		if err := f.Delete(t.Context(), id); err != nil {
			t.Errorf("delete %q: %v", id, err)
		}
	}
	if _, err := f.Get(t.Context(), a.ID); !errtypes.Is(err, errtypes.NotFound) {
		t.Errorf("deleted: %v", err)
	}
	if _, err := f.Update(t.Context(), a.ID, Update{Name: new("b")}); !errtypes.Is(err, errtypes.NotFound) {
		t.Errorf("update of a deleted one: %v", err)
	}
}

func TestAgentsOfAnotherProjectDoNotExist(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		if _, err := f.projects.Create(t.Context(), projects.Create{Name: "acme"}); err != nil {
			t.Fatal(err)
		}
		acme, err := f.projects.In(t.Context(), "acme")
		if err != nil {
			t.Fatal(err)
		}
		a := f.make(t, t.Context(), "mine")
		if _, err := f.Get(acme, a.ID); !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("get: %v", err)
		}
		if _, err := f.Update(acme, a.ID, Update{Name: new("stolen")}); !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("update: %v", err)
		}
		if err := f.Delete(acme, a.ID); err != nil {
			t.Errorf("delete: %v", err)
		}
		if got, err := f.Get(t.Context(), a.ID); err != nil || !cmp.Equal(got, a) {
			t.Errorf("after the other project's calls: %+v, %v", got, err)
		}
		f.make(t, acme, "theirs")
		mine, _ := f.List(t.Context(), Filter{Limit: 1})
		if page, err := f.List(acme, Filter{}); err != nil || !slices.Equal(names(page.Agents), []string{"theirs"}) {
			t.Errorf("list: %v, %v", names(page.Agents), err)
		}
		f.make(t, t.Context(), "mine too")
		mine, _ = f.List(t.Context(), Filter{Limit: 1})
		if _, err := f.List(acme, Filter{Cursor: mine.NextCursor}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("another project's cursor: %v", err)
		}
	})
}

func TestListRunsFromNewToOldAndPagesWithoutGapOrRepeat(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		var want []string
		for i := range 25 {
			if i%3 == 0 { // some share a millisecond
				f.clock.Advance(time.Millisecond)
			}
			want = append(want, f.make(t, t.Context(), fmt.Sprint(i)).Name)
		}
		slices.Reverse(want)
		for _, limit := range []int{1, 4, 25, 26} {
			var got []string
			for a, err := range f.All(t.Context(), Filter{Limit: limit}) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, a.Name)
			}
			if !slices.Equal(got, want) {
				t.Errorf("limit %d: %v", limit, got)
			}
		}
		page, err := f.List(t.Context(), Filter{})
		if err != nil || page.Limit != 20 || len(page.Agents) != 20 || page.NextCursor == "" {
			t.Errorf("first page: limit %d, %d agents, cursor %q, %v", page.Limit, len(page.Agents), page.NextCursor, err)
		}
		if page, err = f.List(t.Context(), Filter{Cursor: page.NextCursor}); len(page.Agents) != 5 || page.NextCursor != "" {
			t.Errorf("last page: %d agents, cursor %q, %v", len(page.Agents), page.NextCursor, err)
		}
	})
}

func TestNewAndDeletedAgentsDoNotDisturbThePages(t *testing.T) {
	f := open(t, storage.Options{})
	var made []Agent
	for i := range 6 {
		f.clock.Advance(time.Millisecond)
		made = append(made, f.make(t, t.Context(), fmt.Sprint(i)))
	}
	first, _ := f.List(t.Context(), Filter{Limit: 2}) // 5, 4
	f.make(t, t.Context(), "new")
	f.Delete(t.Context(), made[4].ID) // the cursor's own row
	second, err := f.List(t.Context(), Filter{Limit: 2, Cursor: first.NextCursor})
	if err != nil || !slices.Equal(names(second.Agents), []string{"3", "2"}) {
		t.Errorf("%v, %v", names(second.Agents), err)
	}
}

func TestListByCreationTimeIsInclusive(t *testing.T) {
	f := open(t, storage.Options{})
	for i := range 5 {
		f.make(t, t.Context(), fmt.Sprint(i))
		f.clock.Advance(time.Second)
	}
	for name, test := range map[string]struct {
		filter Filter
		want   []string
	}{
		"from":    {Filter{StartAt: noon.Add(3 * time.Second)}, []string{"4", "3"}},
		"to":      {Filter{EndAt: noon.Add(time.Second)}, []string{"1", "0"}},
		"between": {Filter{StartAt: noon.Add(time.Second), EndAt: noon.Add(2 * time.Second)}, []string{"2", "1"}},
		"none":    {Filter{StartAt: noon.Add(time.Hour)}, nil},
		"turned":  {Filter{StartAt: noon.Add(2 * time.Second), EndAt: noon}, nil},
	} {
		page, err := f.List(t.Context(), test.filter)
		if err != nil || !slices.Equal(names(page.Agents), test.want) || page.Agents == nil {
			t.Errorf("%s: %v, %v", name, names(page.Agents), err)
		}
	}
}

func TestAllStopsAtAnError(t *testing.T) {
	f := open(t, storage.Options{})
	var errs []error
	for _, err := range f.All(t.Context(), Filter{Limit: -1}) {
		errs = append(errs, err)
	}
	if len(errs) != 1 || !errtypes.Is(errs[0], errtypes.Invalid) {
		t.Errorf("%v", errs)
	}
}
