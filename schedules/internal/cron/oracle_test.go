package cron

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	robfig "github.com/robfig/cron/v3"

	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
)

// What is due is held against the rule itself, looked up second by second of the clock,
// and against two public libraries wherever these follow it.

// features are expressions with everything that fields can have.
var features = []string{
	"* * * * *", "*/7 * * * *", "0 * * * *", "5,35 * * * *", "0 9 * * *", "30 2 * * *", "30 1 * * *", "0 0 * * *", "59 23 * * *", "15,45 1-3 * * *",
	"0 */2 * * *", "0 1-23/2 * * *", "0 9 * * 1-5", "0 9 * * MON,WED,FRI", "0 12 * * 7", "0 12 * * 0", "0 12 1 * *", "0 12 31 * *", "0 12 1,15 * 3", "0 12 29 2 *",
	"0 12 * JAN,jul *", "0 12 1-7 * *", "0 12 */10 * *", "0 12 L * *", "0 12 * * 1#1", "0 12 * * 5L", "0 0 1 1 *", "0 0 * * 0", "0 0 1 * *", "10/20 3 * * *",
	"30 0 9 * * *", "*/20 30 2 * * *", "0 0-23 * * *", "30 2 * 3,10 *", "30 2 8-14 3 *",
}

// zones have clocks that are changed in both hemispheres, by an hour and by half of one, at
// midnight, or never.
var zones = []string{
	"UTC", "Europe/Prague", "Europe/London", "America/New_York", "America/Santiago", "America/Sao_Paulo", "Africa/Cairo", "Africa/Casablanca", "Asia/Kolkata",
	"Asia/Kathmandu", "Asia/Beirut", "Australia/Lord_Howe", "Australia/Sydney", "Pacific/Auckland", "Pacific/Chatham", "Pacific/Apia", "America/St_Johns", "America/Nuuk", "Etc/GMT+12",
}

// byRule are the times of a year by the rule of DECISIONS 31, found by looking at each
// second of the clock that may be meant.
func byRule(e Expression, from, until time.Time, in *time.Location) []time.Time {
	due := map[int64]bool{}
	if e.everyHour() {
		for at := from.Unix(); at < until.Unix(); at++ {
			if e.reads(time.Unix(at, 0).In(in)) {
				due[at] = true
			}
		}
	} else {
		begin := from.Add(-48 * time.Hour)
		_, offset := begin.In(in).Zone()
		last := int64(offset)
		shown := begin.Unix() + last - 1 // what the clock has shown at most
		for at := begin.Unix(); at < until.Unix(); at++ {
			_, offset = time.Unix(at, 0).In(in).Zone()
			local := at + int64(offset)
			if local > shown+1 {
				for left := shown + 1; left < local; left++ { // what it leaves out moves on by as much
					if e.reads(time.Unix(left, 0).UTC()) {
						due[left-last] = true
					}
				}
			}
			if local > shown && e.reads(time.Unix(local, 0).UTC()) {
				due[at] = true
			}
			shown, last = max(shown, local), int64(offset)
		}
	}
	var all []time.Time
	for at := range due {
		if at >= from.Unix() && at < until.Unix() {
			all = append(all, time.Unix(at, 0))
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return all
}

// reads is whether a clock that reads so is meant.
func (e Expression) reads(t time.Time) bool {
	return e.seconds>>t.Second()&1 == 1 && e.minutes>>t.Minute()&1 == 1 && e.hours>>t.Hour()&1 == 1 && e.months>>t.Month()&1 == 1 && e.due(t)
}

func TestTheRule(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "each second of many days")
	for _, name := range zones {
		in := zone(t, name)
		for _, change := range changes(in, 2026) {
			from, until := change.Add(-14*time.Hour), change.Add(14*time.Hour)
			for _, expression := range features {
				e := parse(t, expression)
				same(t, fmt.Sprintf("%s in %s around %v", expression, name, change), due(e, from, until, in), byRule(e, from, until, in))
			}
		}
	}
}

// Asked at any instant, it says what it says when asked at any other.
func TestWhereverItIsAsked(t *testing.T) {
	t.Parallel()
	for _, name := range zones {
		in := zone(t, name)
		for _, change := range changes(in, 2026) {
			for _, expression := range []string{"30 2 * * *", "15,45 1-3 * * *", "*/10 0,1,2,3 * * *", "0 * * * *", "45 1 * * *"} {
				e := parse(t, expression)
				all := due(e, change.Add(-6*time.Hour), change.Add(72*time.Hour), in)
				for at := change.Add(-5 * time.Hour); at.Before(change.Add(5 * time.Hour)); at = at.Add(5 * time.Minute) {
					i, _ := slices.BinarySearchFunc(all, at.Add(time.Second), time.Time.Compare)
					if got, _ := e.Next(at, in); i < len(all) && !got.Equal(all[i]) {
						t.Fatalf("%s in %s after %v: %v, want %v", expression, name, at, got, all[i])
					}
				}
			}
		}
	}
}

// changes are the instants of a year at which the clocks of a zone are changed, and one
// at which they are not.
func changes(in *time.Location, year int) []time.Time {
	all := []time.Time{time.Date(year, 6, 15, 0, 0, 0, 0, in)}
	for at := time.Date(year, 1, 1, 0, 0, 0, 0, in); ; {
		_, end := at.ZoneBounds()
		if end.IsZero() || end.Year() > year {
			return all
		}
		all, at = append(all, end), end
	}
}

func same(t *testing.T, what string, got, want []time.Time) {
	t.Helper()
	if slices.EqualFunc(got, want, time.Time.Equal) {
		return
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !got[i].Equal(want[i]) {
			t.Errorf("%s: from the %dth on %v, want %v", what, i, at(got, i), at(want, i))
			return
		}
	}
}

func at(all []time.Time, i int) []time.Time {
	var out []time.Time
	for _, a := range all[min(i, len(all)):min(i+3, len(all))] {
		out = append(out, a.UTC())
	}
	return out
}

// question is what a library is asked.
type question struct {
	Expression string `json:"expression"`
	Zone       string `json:"zone"`
	From       int64  `json:"from"`
	Until      int64  `json:"until"`
	Most       int    `json:"most"`
}

func aYear(expression, zone string) question {
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return question{expression, zone, from.Unix() - 1, from.AddDate(1, 0, 0).Unix(), 100}
}

// due is what the package answers.
func (q question) due(t *testing.T) []time.Time {
	all := due(parse(t, q.Expression), time.Unix(q.From+1, 0), time.Unix(q.Until, 0), zone(t, q.Zone))
	return all[:min(len(all), q.Most)]
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// beyond are zones in which cron-parser 5.10.5 loses times or gives up: clocks there change
// by half an hour, or at midnight.
var beyond = []string{"Australia/Lord_Howe", "America/Santiago", "Asia/Beirut", "Africa/Cairo", "America/Nuuk"}

// A year of every feature, in zones whose clocks change, against a public library that
// follows the rule.
func TestAgainstCronParser(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a year of many zones in Node.js")
	random := rand.New(rand.NewPCG(1, 2))
	var questions []question
	for _, name := range zones {
		if slices.Contains(beyond, name) {
			continue
		}
		for _, expression := range append(slices.Clone(features), randomExpressions(random, 4)...) {
			questions = append(questions, aYear(expression, name))
		}
	}
	for i, times := range ask(t, questions) {
		q := questions[i]
		if times.Error != "" {
			t.Errorf("%+v: %s", q, times.Error)
			continue
		}
		var want []time.Time
		for _, s := range times.Times {
			want = append(want, time.Unix(s, 0))
		}
		same(t, q.Expression+" in "+q.Zone, q.due(t), want)
	}
}

// A year of every feature that both have, against another one, which is wrong where clocks
// change.
func TestAgainstCron(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	parser := robfig.NewParser(robfig.SecondOptional | robfig.Minute | robfig.Hour | robfig.Dom | robfig.Month | robfig.Dow | robfig.Descriptor)
	for _, name := range []string{"UTC", "Asia/Kolkata", "Asia/Kathmandu", "Etc/GMT+12"} {
		for _, expression := range slices.Concat(features, randomExpressions(random, 50), []string{"@hourly", "@daily", "@weekly", "@monthly", "@yearly"}) {
			if strings.ContainsAny(expression, "L#") || strings.HasSuffix(expression, " 7") || strings.Contains(expression, "*/1 ") || strings.HasSuffix(expression, "*/1") {
				continue // it has none of these, and takes */1 for a field that says nothing
			}
			q := aYear(expression, name)
			schedule := must(parser.Parse(expression))
			var want []time.Time
			for at := schedule.Next(time.Unix(q.From, 0).In(zone(t, name))); !at.IsZero() && at.Unix() < q.Until && len(want) < q.Most; at = schedule.Next(at) {
				want = append(want, at)
			}
			same(t, expression+" in "+name, q.due(t), want)
		}
	}
}

type answer struct {
	Times []int64 `json:"times"`
	Error string  `json:"error"`
}

func ask(t *testing.T, questions []question) (all []answer) {
	t.Helper()
	dir := npmtest.Dir(t, "npm")
	var in strings.Builder
	for _, q := range questions {
		must(0, json.NewEncoder(&in).Encode(q))
	}
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(dir, "times.js"))
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var a answer
		must(0, json.Unmarshal(lines.Bytes(), &a))
		all = append(all, a)
	}
	if len(all) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(all), len(questions))
	}
	return all
}

// randomExpressions have lists, ranges and steps anywhere.
func randomExpressions(r *rand.Rand, n int) (all []string) {
	item := func(least, most int) string {
		a := least + r.IntN(most-least+1)
		b := a + r.IntN(most-a+1)
		switch r.IntN(6) {
		case 0, 1:
			return "*"
		case 2:
			return fmt.Sprintf("*/%d", 1+r.IntN(most-least))
		case 3:
			return fmt.Sprintf("%d-%d", a, b)
		case 4:
			return fmt.Sprintf("%d-%d/%d", a, b, 1+r.IntN(5))
		}
		return fmt.Sprintf("%d,%d", a, least+(a-least+1+r.IntN(most-least))%(most-least+1))
	}
	for range n {
		e := strings.Join([]string{item(0, 59), item(0, 23), item(1, 28), item(1, 12), item(0, 6)}, " ")
		if _, err := Parse(e); err == nil {
			all = append(all, e)
		}
	}
	return all
}
