package cron

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata"
)

func parse(t testing.TB, s string) Expression {
	t.Helper()
	e, err := Parse(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return e
}

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	l, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// due lists what is due in a time.
func due(e Expression, from, until time.Time, in *time.Location) (all []time.Time) {
	for at, ok := e.Next(from.Add(-time.Second), in); ok && at.Before(until); at, ok = e.Next(at, in) {
		all = append(all, at)
	}
	return all
}

// What is due on the days on which clocks change, in times of UTC (wire-v2-stores, 14).
func TestClocksThatAreChanged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, date, expression, want string }{
		{"Europe/Prague", "2026-03-29", "30 2 * * *", "01:30"},
		{"Europe/Prague", "2026-03-29", "30 1 * * *", "00:30"},
		{"Europe/Prague", "2026-03-29", "0 2 * * *", "01:00"},
		{"Europe/Prague", "2026-03-29", "0 3 * * *", "01:00"},
		{"Europe/Prague", "2026-03-29", "0 2,3 * * *", "01:00"},
		{"Europe/Prague", "2026-03-29", "0 */2 * * *", "23:00 01:00 02:00 04:00 06:00 08:00 10:00 12:00 14:00 16:00 18:00 20:00"},
		{"Europe/Prague", "2026-03-29", "15,45 1-3 * * *", "00:15 00:45 01:15 01:45"},
		{"Europe/Prague", "2026-03-29", "30 0-4 * * *", "23:30 00:30 01:30 02:30"},
		{"Europe/Prague", "2026-10-25", "30 2 * * *", "00:30"},
		{"Europe/Prague", "2026-10-25", "30 1 * * *", "23:30"},
		{"Europe/Prague", "2026-10-25", "0 2 * * *", "00:00"},
		{"Europe/Prague", "2026-10-25", "0 3 * * *", "02:00"},
		{"Europe/Prague", "2026-10-25", "15,45 1-3 * * *", "23:15 23:45 00:15 00:45 02:15 02:45"},
		{"America/New_York", "2026-03-08", "30 2 * * *", "07:30"},
		{"America/New_York", "2026-03-08", "0 2 * * *", "07:00"},
		{"America/New_York", "2026-03-08", "0 3 * * *", "07:00"},
		{"America/New_York", "2026-03-08", "15,45 1-3 * * *", "06:15 06:45 07:15 07:45"},
		{"America/New_York", "2026-11-01", "30 1 * * *", "05:30"},
		{"America/New_York", "2026-11-01", "0 2 * * *", "07:00"},
		{"America/New_York", "2026-11-01", "15,45 1-3 * * *", "05:15 05:45 07:15 07:45 08:15 08:45"},
		{"America/New_York", "2026-11-01", "30 0-3 * * *", "04:30 05:30 07:30 08:30"},
		// Half an hour, in the southern hemisphere: 02:00 is followed by 02:30, and by 01:30.
		{"Australia/Lord_Howe", "2026-10-04", "15 2 * * *", "15:45"},
		{"Australia/Lord_Howe", "2026-10-04", "45 2 * * *", "15:45"},
		{"Australia/Lord_Howe", "2026-10-04", "0,15,30,45 2 * * *", "15:30 15:45"},
		{"Australia/Lord_Howe", "2026-10-04", "*/30 1-3 * * *", "14:30 15:00 15:30 16:00 16:30"},
		{"Australia/Lord_Howe", "2026-04-05", "45 1 * * *", "14:45"},
		{"Australia/Lord_Howe", "2026-04-05", "0,30 1-2 * * *", "14:00 14:30 15:30 16:00"},
		// Midnight itself is left out.
		{"America/Santiago", "2026-09-06", "0 0 * * *", "04:00"},
		{"America/Santiago", "2026-09-06", "30 0 * * *", "04:30"},
		{"Africa/Cairo", "2026-04-24", "0 0 * * *", "22:00"},
		// A whole day is.
		{"Pacific/Apia", "2011-12-31", "0 9 * * *", "19:00"},
		{"Pacific/Apia", "2011-12-31", "0 9 31 12 *", "19:00"},
	} {
		in := zone(t, c.zone)
		from, err := time.ParseInLocation(time.DateOnly, c.date, in)
		if err != nil {
			t.Fatal(err)
		}
		if c.zone == "America/Santiago" || c.zone == "Africa/Cairo" {
			from = from.Add(-time.Minute) // the date begins at one
		}
		var got []string
		for _, at := range due(parse(t, c.expression), from, from.Add(24*time.Hour), in) {
			got = append(got, at.UTC().Format("15:04"))
		}
		if g := strings.Join(got, " "); g != c.want && !strings.HasPrefix(g, c.want+" 2") {
			t.Errorf("%s on %s in %s: %s, want %s", c.expression, c.date, c.zone, g, c.want)
		}
	}
}

// All hours are every real instant that reads so.
func TestAllHoursAreRealTime(t *testing.T) {
	t.Parallel()
	for _, expression := range []string{"0 * * * *", "*/15 * * * *", "0 0-23 * * *", "0 */1 * * *", "@hourly"} {
		every := time.Hour
		if expression == "*/15 * * * *" {
			every = 15 * time.Minute
		}
		for _, name := range []string{"Europe/Prague", "America/New_York", "America/Santiago", "UTC"} {
			in, from := zone(t, name), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			all := due(parse(t, expression), from, from.AddDate(1, 0, 0), in)
			if want := int(365 * 24 * time.Hour / every); len(all) != want {
				t.Errorf("%s in %s: %d times, want %d", expression, name, len(all), want)
			}
			for i := 1; i < len(all); i++ {
				if d := all[i].Sub(all[i-1]); d != every {
					t.Fatalf("%s in %s: %v after %v", expression, name, all[i], all[i-1])
				}
			}
		}
	}
}

func TestWhatExpressionsMean(t *testing.T) {
	t.Parallel()
	const from = "2026-01-01T00:00:00Z" // a Thursday
	for _, c := range []struct{ expression, want string }{
		{"5 4 * * *", "2026-01-01 04:05:00"},
		{"  5   4 * *\t* ", "2026-01-01 04:05:00"},
		{"30 5 4 * * *", "2026-01-01 04:05:30"},
		{"0 0 13 * FRI", "2026-01-02 00:00:00"},
		{"0 0 13 * ?", "2026-01-13 00:00:00"},
		{"0 0 ? * 5", "2026-01-02 00:00:00"},
		{"0 0 */2 * 5", "2026-01-02 00:00:00"},
		{"0 0 29 2 *", "2028-02-29 00:00:00"},
		{"0 0 * * 7", "2026-01-04 00:00:00"},
		{"0 0 * * sat-sun", "2026-01-03 00:00:00"},
		{"0 0 * * 5-7", "2026-01-02 00:00:00"},
		{"0 0 1 jan,JUL *", "2026-07-01 00:00:00"},
		{"0 0 L * *", "2026-01-31 00:00:00"},
		{"0 0 L 2 *", "2026-02-28 00:00:00"},
		{"0 0 15,L * *", "2026-01-15 00:00:00"},
		{"0 0 * * 1#2", "2026-01-12 00:00:00"},
		{"0 0 * * MON#5", "2026-03-30 00:00:00"},
		{"0 0 * * 5L", "2026-01-30 00:00:00"},
		{"0 0 * * friL", "2026-01-30 00:00:00"},
		{"0 0 * 2 1#5", "2044-02-29 00:00:00"},
		{"10/20 0 * * *", "2026-01-01 00:10:00"},
		{"50/20 0 * * *", "2026-01-01 00:50:00"},
		{"0 22-23/2 * * *", "2026-01-01 22:00:00"},
		{"0 0 1 */100 *", "2027-01-01 00:00:00"},
		{"@yearly", "2027-01-01 00:00:00"}, {"@annually", "2027-01-01 00:00:00"}, {"@monthly", "2026-02-01 00:00:00"},
		{"@weekly", "2026-01-04 00:00:00"}, {"@daily", "2026-01-02 00:00:00"}, {"@hourly", "2026-01-01 01:00:00"},
	} {
		at, err := time.Parse(time.RFC3339, from)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := parse(t, c.expression).Next(at.Add(500*time.Millisecond), time.UTC)
		if g := got.Format(time.DateTime); !ok || g != c.want {
			t.Errorf("%s: %s, want %s", c.expression, g, c.want)
		}
	}
}

func TestExpressionsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expression, want string }{
		{"", "has five fields, or six with seconds; this one has 0"},
		{"* * * *", "this one has 4"}, {"* * * * * * *", "this one has 7"},
		{"60 * * * *", `minute "60": "60" is not from 0 to 59`}, {"* 24 * * *", `hour "24"`}, {"* * 0 * *", `day of the month "0"`},
		{"* * * 13 *", `month "13"`}, {"* * * * 8", `day of the week "8"`}, {"60 * * * * *", `second "60"`},
		{"*/0 * * * *", "a step is a number from 1"}, {"*/x * * * *", "a step"}, {"1/ * * * *", "a step"}, {"5-1 * * * *", "ends before it begins"},
		{"-1 * * * *", `"" is not`}, {"+1 * * * *", `"+1" is not`}, {"1,,2 * * * *", `"" is not`}, {"a * * * *", `"a" is not`},
		{"? * * * *", `"?" is not`}, {"* * 15W * *", `"15W" is not`}, {"* * * * 1#6", "not from 1 to 5"}, {"* * * * L", `"L" is not`}, {"* * * * #1", `"" is not`},
		{"0 0 31 2 *", "no date has this day and month"}, {"0 0 31 4,6 *", "no date"}, {"H * * * *", `"H" is not`},
		{"TZ=UTC * * * * *", `second "TZ=UTC"`}, {"@DAILY", "no shortcut"}, {"@midnight", "no shortcut"}, {"@reboot", "no shortcut"}, {"@every 5m", "no shortcut"},
		{strings.Repeat("1,", 60) + "1 * * * *", "at most 100 characters"}, {"1\x00 * * * *", "is not from"}, {"१ * * * *", "is not from"},
	} {
		if _, err := Parse(c.expression); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.expression, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"*/5 1-3,7 L * 1#2", "@daily", "0 0 29 2 *", "1 2 3 4 5 6"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := Parse(s)
		if err != nil {
			return
		}
		after := time.Date(2026, 3, 29, 0, 30, 0, 1, time.UTC)
		for range 50 {
			at, ok := e.Next(after, zone(t, "Europe/Prague"))
			if !ok {
				t.Fatalf("%q is never due after %v", s, after)
			}
			if !at.After(after) {
				t.Fatalf("%q: %v is not after %v", s, at, after)
			}
			after = at
		}
	})
}

func BenchmarkNext(b *testing.B) {
	in := zone(b, "Europe/Prague")
	for _, expression := range []string{"* * * * *", "30 2 * * *", "0 9 * * 1-5", "0 0 29 2 *"} {
		b.Run(expression, func(b *testing.B) {
			e, at := parse(b, expression), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			for b.Loop() {
				if _, ok := e.Next(at, in); !ok {
					b.Fatal("never")
				}
			}
		})
	}
}
