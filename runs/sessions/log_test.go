package sessions

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/secrets"
	"github.com/drover-go/drover/storage/projects"
)

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

func TestTheLogKeepsTheNewest(t *testing.T) {
	t.Parallel()
	each(t, setup{browser: &quickBrowser{}, limits: Limits{MaxLogEntries: 3}}, func(t *testing.T, w *world) {
		g := w.find(w.create(t, Create{KeepAlive: true}).ID).log
		for i := range 5 {
			g.add(browser.Event{Time: noon, Tab: "T2", Method: fmt.Sprint("m", i), Params: json.RawMessage(`{"frameId":"F","loaderId":"L"}`)})
		}
		g.add(browser.Event{Time: noon, Tab: "T3", Method: "other"})
		all := w.onlyLog(t)
		if len(all) != 3 || all[0].Method != "m3" || all[2].Page != all[0].Page+1 || all[0].FrameID != "F" || all[0].LoaderID != "L" ||
			all[2].FrameID != "" || all[2].Params != nil || !all[0].Time.Equal(noon) {
			t.Errorf("%+v", all)
		}
	})
	w := start(t, setup{browser: &quickBrowser{}, limits: Limits{MaxLog: 4 * (entryCost + 100)}})
	g := w.find(w.create(t, Create{KeepAlive: true}).ID).log
	for range 20 {
		g.add(browser.Event{Params: json.RawMessage(strings.Repeat(" ", 98) + "{}")})
	}
	g.add(browser.Event{Params: json.RawMessage(strings.Repeat(" ", 5000) + "{}")}) // more than all may be
	if all := w.onlyLog(t); len(all) != 4 || len(all[0].Params) != 100 {
		t.Errorf("%d entries", len(all))
	}
	newSessionLog(Limits{}, nil).note(noon, "x") // a log that is off
}

// onlyLog is the log of the only session.
func (w *world) onlyLog(t *testing.T) []LogEntry {
	t.Helper()
	return must(w.Logs(t.Context(), must(w.List(t.Context(), Filter{}))(t)[0].ID))(t)
}

// What was logged and recorded is there while the session runs, and after.
func TestLogAndRecordingOutliveTheSession(t *testing.T) {
	t.Parallel()
	each(t, setup{browser: &quickBrowser{}}, func(t *testing.T, w *world) {
		project := must(w.projects.Get(t.Context(), projects.Default))(t)
		own := must(w.OpenFor(t.Context(), project.ID, Create{Settings: Settings{StepsOnly: true, SolveCaptchas: true}}))(t)
		own.(*held).Step(map[string]string{"tool": "click"})
		quiet := w.create(t, Create{Settings: Settings{NoLog: true, NoRecording: true}})
		filmed := w.create(t, Create{KeepAlive: true})
		w.find(filmed.ID).rec.frame(browser.Frame{Tab: "T1", Data: picture()})
		look := func(when string) {
			t.Helper()
			for id, want := range map[string][2]int{own.ID(): {1, 1}, quiet.ID: {0, 0}} {
				logs, recording := must(w.Logs(t.Context(), id))(t), must(w.Recording(t.Context(), id))(t)
				if logs == nil || recording == nil || len(logs) != want[0] || len(recording) != want[1] {
					t.Errorf("%s: %+v %+v", when, logs, recording)
				}
			}
			var d eventData[framePayload]
			events := must(w.Recording(t.Context(), filmed.ID))(t)
			if err := json.Unmarshal(events[0].Data, &d); err != nil || d.Payload.MIMEType != "image/jpeg" || string(d.Payload.Data) != string(picture()) {
				t.Errorf("%s: %+v %v", when, d, err)
			}
		}
		look("while they run")
		if err := own.Close(); err != nil {
			t.Fatal(err)
		}
		must(w.Release(t.Context(), quiet.ID))(t)
		must(w.Release(t.Context(), filmed.ID))(t)
		look("after")
	})
}

// What a caller asks for that is not done is noted, and nothing that he leaves
// out.
func TestWhatIsAskedForAndNotDoneIsNoted(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	for want, settings := range map[string]Settings{
		"": {}, "solveCaptchas": {SolveCaptchas: true}, "ignoreCertificateErrors": {IgnoreCertificates: true},
	} {
		noted := ""
		for _, e := range must(w.Logs(t.Context(), w.create(t, Create{Settings: settings}).ID))(t) {
			noted += string(e.Params)
		}
		if (noted == "") != (want == "") || !strings.Contains(noted, want) {
			t.Errorf("%+v: %s, want %s", settings, noted, want)
		}
	}
}

func TestSecretsAreTakenOutOfTheLog(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	s := w.create(t, Create{Hide: secrets.New(map[string]string{"word": "geheim"})})
	l := w.find(s.ID)
	l.observe(browser.Event{Time: noon, Tab: "T1", Method: "Network.requestWillBeSent", Params: json.RawMessage(`{"url":"https://a.example/?q=geheim"}`)})
	logs := must(w.Logs(t.Context(), s.ID))(t)
	if len(logs) != 1 || string(logs[0].Params) != `{"url":"https://a.example/?q=%word%"}` {
		t.Errorf("%+v", logs)
	}
}
