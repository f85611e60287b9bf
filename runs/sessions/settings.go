package sessions

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// Settings configure the browser of a session. The zero value is an isolated
// browser that is logged and recorded.
type Settings struct {
	// Viewport of its pages.
	Viewport Viewport `json:"viewport,omitzero"`
	// BlockAds keeps requests to known advertisers and trackers back. Default
	// false.
	BlockAds bool `json:"blockAds,omitempty"`
	// SolveCaptchas was asked for. There is no solver, and the log says so.
	SolveCaptchas bool `json:"solveCaptchas,omitempty"`
	// NoRecording keeps no frames and steps. Default false.
	NoRecording bool `json:"noRecording,omitempty"`
	// StepsOnly records no frames: what is on the screen may be secret. Default
	// false.
	StepsOnly bool `json:"stepsOnly,omitempty"`
	// NoLog keeps no log. Default false.
	NoLog bool `json:"noLog,omitempty"`
	// Verified asks for a browser that shows no sign of automation. Default
	// false.
	Verified bool `json:"verified,omitempty"`
	// OwnProcess gives the session a browser process that it shares with no
	// other, for the price of starting one. Default false.
	OwnProcess bool `json:"ownProcess,omitempty"`
	// AllowedDomains are what the session may reach, with what is below each;
	// empty for all.
	AllowedDomains []string `json:"allowedDomains,omitempty"`
	// IgnoreCertificates was asked for. It is not done, and the log says so.
	IgnoreCertificates bool `json:"ignoreCertificates,omitempty"`
	// Proxies, default none.
	Proxies Proxies `json:"proxies,omitzero"`
	// Context to load and perhaps save. Default none: the browser begins empty
	// and leaves nothing.
	Context *ContextRef `json:"context,omitempty"`
	// ExtensionID names an extension of the project, which the session's browser
	// loads. Such a session has a browser process of its own. Default none.
	ExtensionID string `json:"extensionId,omitempty"`
	// CACertificates are ids of those of authorities that the session trusts, too.
	CACertificates []string `json:"certificates,omitempty"`
	// ClientCertificates are ids of those that servers are shown that ask for one
	// and accept its issuer.
	ClientCertificates []string `json:"clientCertificates,omitempty"`
}

// Viewport is the size of the page in CSS pixels, 1 to 10,000 each. Default, for
// each side by itself: 1280 wide, 800 high.
type Viewport struct{ Width, Height int }

// ContextRef names a stored browser context.
type ContextRef struct {
	// ID of one of the project's.
	ID string
	// Persist saves the context at the end, which one session at a time may do.
	// Default false: what the session changes is forgotten.
	Persist bool
}

const (
	maxViewport = 10_000
	maxDomains  = 1000
	maxDomain   = 253
)

// check refuses what is wrong and what cannot be honoured, by its name on the
// wire.
func (c Config) check(s Settings) error {
	if s.ExtensionID != "" && c.Extensions == nil {
		return errtypes.Field(extensionField, "cannot be honoured: this host keeps no extensions")
	}
	if err := c.checkContext(s.Context); err != nil {
		return err
	}
	if err := s.Viewport.check(); err != nil {
		return err
	}
	if err := checkDomains(s.AllowedDomains); err != nil {
		return err
	}
	if err := s.Proxies.check(); err != nil {
		return err
	}
	c.Proxies = c.Proxies.Aside() // it is nobody's turn yet
	_, err := c.policy(s)
	return err
}

func (v Viewport) check() error {
	for name, side := range map[string]int{"width": v.Width, "height": v.Height} {
		if side < 0 || side > maxViewport {
			return errtypes.Field("browserSettings.viewport."+name, "must be between 1 and %d", maxViewport)
		}
	}
	return nil
}

func checkDomains(all []string) error {
	if len(all) > maxDomains {
		return errtypes.Field("browserSettings.allowedDomains", "must be at most %d", maxDomains)
	}
	for i, d := range all {
		if !validDomain(d) {
			return errtypes.Field(fmt.Sprintf("browserSettings.allowedDomains[%d]", i), "must be a domain such as example.com, which stands for what is below it, too")
		}
	}
	return nil
}

// validDomain wants letters, digits and hyphens between single dots.
func validDomain(d string) bool {
	if d == "" || len(d) > maxDomain {
		return false
	}
	for label := range strings.SplitSeq(d, ".") {
		if label == "" || len(label) > 63 || strings.ContainsFunc(label, func(r rune) bool {
			return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}) {
			return false
		}
	}
	return true
}

// HostOS is what the wire calls this machine's operating system.
func HostOS() string {
	switch runtime.GOOS {
	case "darwin":
		return "mac"
	default:
		return runtime.GOOS
	}
}

// notes are what was accepted and is not done (DECISIONS 6).
func (s Settings) notes() (all []string) {
	if s.SolveCaptchas {
		all = append(all, "solveCaptchas: captchas are left as they are, because there is no solver")
	}
	if s.IgnoreCertificates {
		all = append(all, "ignoreCertificateErrors: certificates are checked all the same")
	}
	return all
}
