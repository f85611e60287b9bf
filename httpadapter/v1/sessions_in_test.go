package v1

import (
	"testing"

	"github.com/drover-go/drover/httpadapter/internal/strictjson"
	"github.com/drover-go/drover/runs/sessions"
)

// A solver of captchas is asked for by who says so: the default of the field is
// nobody's wish (DECISIONS 6).
func TestCaptchasAreAskedForByWhoSaysSo(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{}`: false, `{"browserSettings":{}}`: false, `{"browserSettings":{"solveCaptchas":false}}`: false, `{"browserSettings":{"solveCaptchas":true}}`: true,
	} {
		var got sessions.Create
		var outside bool
		if err := strictjson.Decode([]byte(body), strictjson.Options{}, sessionCreateIn(&got, &outside)); err != nil || got.Settings.SolveCaptchas != want {
			t.Errorf("%s: %v %v", body, got.Settings.SolveCaptchas, err)
		}
	}
}
