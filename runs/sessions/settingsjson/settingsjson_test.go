package settingsjson

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/runs/sessions"
)

func TestEverySettingIsRead(t *testing.T) {
	t.Parallel()
	const id = "01999999-0000-7000-8000-00000000000a"
	s, err := Decode([]byte(`{
		"projectId": "p", "extensionId": "`+strings.ToUpper(id)+`", "timeout": 120, "keepAlive": true, "region": "eu-central-1", "userMetadata": {"a": [null]},
		"proxies": [{"type": "managed", "geolocation": {"country": "US", "state": "NY", "city": "New York"}}, {"type": "external", "server": "http://p:1", "username": "u", "password": "w", "domainPattern": "x"}, {"type": "none"}],
		"proxySettings": {"caCertificates": ["c"], "clientCertificates": ["d", "e"]},
		"browserSettings": {
			"context": {"id": "`+strings.ToUpper(id)+`", "persist": true}, "extensionId": "`+id+`", "viewport": {"width": 1288, "height": 711}, "blockAds": true, "solveCaptchas": true,
			"recordSession": false, "logSession": false, "advancedStealth": true, "verified": false, "ownProcess": true, "allowedDomains": ["a.test"],
			"ignoreCertificateErrors": true, "os": "`+sessions.HostOS()+`", "size": "small", "enableNativeSelectPolyfill": false, "enablePdfViewer": false, "extensions": []
		}}`), strictjson.Options{})
	want := sessions.Create{
		ProjectID: "p", Timeout: 2 * time.Minute, KeepAlive: true, Region: "eu-central-1", UserMetadata: []byte(`{"a": [null]}`),
		Settings: sessions.Settings{
			Viewport: sessions.Viewport{Width: 1288, Height: 711}, BlockAds: true, SolveCaptchas: true, NoRecording: true, NoLog: true, Verified: true, OwnProcess: true,
			AllowedDomains: []string{"a.test"}, IgnoreCertificates: true, Context: &sessions.ContextRef{ID: id, Persist: true}, ExtensionID: id,
			CACertificates: []string{"c"}, ClientCertificates: []string{"d", "e"},
			Proxies: sessions.Proxies{Rules: []sessions.ProxyRule{
				{Type: "managed", Geolocation: &sessions.Geolocation{Country: "US", State: "NY", City: "New York"}},
				{Type: "external", Server: "http://p:1", Username: "u", Password: "w", DomainPattern: "x"}, {Type: "none"},
			}},
		},
	}
	if diff := cmp.Diff(want, s.Create); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestSettingsThatAreNotThereAreTheDefaults(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{}`, `{"browserSettings":{"solveCaptchas":false,"recordSession":true,"logSession":true,"advancedStealth":false},"proxies":false,"proxySettings":{}}`} {
		s, err := Decode([]byte(text), strictjson.Options{})
		if diff := cmp.Diff(sessions.Create{}, s.Create); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", text, err, diff)
		}
	}
}

// The manifest of a function may have fields that nobody knows, and none that a
// function cannot set (DECISIONS 28).
func TestSettingsOfADocument(t *testing.T) {
	t.Parallel()
	const known = "keepAlive region projectId playground"
	for text, want := range map[string]string{
		`{"timeout":60,"wings":[1],"browserSettings":{"wings":null,"context":{"id":"c","wings":{}},"viewport":{"depth":3}},"proxies":[{"type":"none","wings":2}]}`: "",
		`{"keepAlive":false}`:        "sessionConfig.keepAlive cannot be set here",
		`{"region":null}`:            "sessionConfig.region cannot be set here",
		`{"projectId":"p"}`:          "sessionConfig.projectId cannot be set here",
		`{"playground":{}}`:          "sessionConfig.playground cannot be set here",
		`{"proxies":[{"type":"x"}]}`: "sessionConfig.proxies[0].type must be one of managed, browserbase, external, none",
		`{"proxies":{}}`:             "sessionConfig.proxies must be true or false or an array, not an object",
		`{"browserSettings":{"context":{"persist":true}}}`:          "sessionConfig.browserSettings.context.id is required",
		`{"browserSettings":{"viewport":{"width":0}}}`:              "sessionConfig.browserSettings.viewport.width must be a whole number from 1 to 10000",
		`{"browserSettings":{"os":"beos"}}`:                         "sessionConfig.browserSettings.os must be " + sessions.HostOS() + ", which is all there is here",
		`{"browserSettings":{"captchaImageSelector":"i"}}`:          "sessionConfig.browserSettings.captchaImageSelector has no use: there is no solver of captchas",
		`{"browserSettings":{"enablePdfViewer":true}}`:              "sessionConfig.browserSettings.enablePdfViewer is not supported",
		`{"browserSettings":{"extensions":["x"]}}`:                  "sessionConfig.browserSettings.extensions is not supported",
		`{"extensionId":"a","browserSettings":{"extensionId":"b"}}`: "sessionConfig.extensionId differs from browserSettings.extensionId",
		`{"timeout":"60"}`: "sessionConfig.timeout must be a number, not a string",
		`[]`:               "sessionConfig must be an object, not an array",
		`{`:                "sessionConfig is not valid JSON: it ends too early",
	} {
		_, err := Decode([]byte(text), strictjson.Options{At: "sessionConfig"}, strings.Fields(known)...)
		if got := message(err); got != want || err != nil && !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return errtypes.Public(err).Message
}

// A body of v1 has a context that is closed, and may have whatever else.
func TestTheContextOfABodyIsClosed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"wings":1,"keepAlive":true,"browserSettings":{"wings":1}}`: "",
		`{"browserSettings":{"context":{"id":"c","wings":1}}}`:       "browserSettings.context.wings is not a known field; known here: id, persist",
		`{"extensionId":"a","browserSettings":{"extensionId":"b"}}`:  "extensionId differs from browserSettings.extensionId",
	} {
		var s Session
		if got := message(strictjson.Decode([]byte(text), strictjson.Options{}, s.Value())); got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

// An error about the extension has the name that the author gave it.
func TestNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"extensionId":"a"}`:                                       "extensionId names none",
		`{"browserSettings":{"extensionId":"a"}}`:                   "browserSettings.extensionId names none",
		`{"extensionId":"a","browserSettings":{"extensionId":"a"}}`: "browserSettings.extensionId names none",
	} {
		s, err := Decode([]byte(text), strictjson.Options{})
		if err != nil || s.Settings.ExtensionID != "a" {
			t.Fatalf("%s: %v, %+v", text, err, s)
		}
		refused := error(errtypes.Field("browserSettings.extensionId", "names none"))
		errtypes.Wrap(&refused, "sessions.Create")
		if got := message(s.Named(refused)); got != want || !errtypes.Is(s.Named(refused), errtypes.Invalid) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		for _, other := range []error{nil, errtypes.Field("timeout", "is too long"), errtypes.New(errtypes.RateLimited, "later")} {
			if got := s.Named(other); got != other {
				t.Errorf("%v becomes %v", other, got)
			}
		}
	}
}

// A solver of captchas is asked for by who says so: the default of the field is
// nobody's wish (DECISIONS 6).
func TestCaptchasAreAskedForByWhoSaysSo(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{}`: false, `{"browserSettings":{}}`: false, `{"browserSettings":{"solveCaptchas":false}}`: false, `{"browserSettings":{"solveCaptchas":true}}`: true,
	} {
		if got, err := Decode([]byte(body), strictjson.Options{}); err != nil || got.Settings.SolveCaptchas != want {
			t.Errorf("%s: %v %v", body, got.Settings.SolveCaptchas, err)
		}
	}
}
