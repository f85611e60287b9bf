package webhooks

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
)

// The longest texts of a webhook, in bytes.
const (
	maxURL   = 500
	maxKey   = 255
	maxTitle = 1000
)

// check refuses settings, and returns them as they are kept.
func (s *service) check(ctx context.Context, in Settings) (Settings, error) {
	in.Protocol = cmp.Or(in.Protocol, protocolOf(in.Events))
	events, err := checkEvents(in.Protocol, in.Events)
	if err != nil {
		return in, err
	}
	in.Events = events
	if err := s.checkURL(in.Protocol, in.URL); err != nil {
		return in, err
	}
	if err := s.checkTexts(in); err != nil {
		return in, err
	}
	if in.Protocol == Standard {
		return in, standardOnly(in)
	}
	if err := s.checkTemplates(in); err != nil {
		return in, err
	}
	in.Condition, err = s.resolve(ctx, in.Condition)
	return in, err
}

// protocolOf is the protocol that events belong to.
func protocolOf(events []string) Protocol {
	for _, e := range events {
		if !strings.HasPrefix(e, "ACTOR.") {
			return Standard
		}
	}
	return Platform
}

// checkEvents refuses events that there are not, and returns each once.
func checkEvents(p Protocol, events []string) (all []string, err error) {
	if p != Standard && p != Platform {
		return nil, errtypes.Field("protocol", "must be %q or %q", Standard, Platform)
	}
	for _, e := range events {
		if !known(p, e) {
			return nil, errtypes.Field("eventTypes", "names %q, which is no event of the protocol %q", clip(e, 100), p)
		}
		if !slices.Contains(all, e) {
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		return nil, errtypes.Field("eventTypes", "must name an event at least")
	}
	return all, nil
}

// checkURL refuses what nothing could be sent to. Where a name leads is seen when it is
// sent.
func (s *service) checkURL(p Protocol, text string) error {
	if text == "" || len(text) > maxURL {
		return errtypes.Field("url", "is required, at most %d bytes", maxURL)
	}
	u, err := egress.ParseURL(text)
	if err != nil || u.Host == "" {
		return errtypes.Field("url", "must be an absolute http: or https: URL")
	}
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return errtypes.Field("url", "must be an http: or https: URL")
	case u.Scheme == "http" && p == Standard && !s.conf.Limits.AllowHTTP:
		return errtypes.Field("url", "must be an https: URL: the host may open http: with Options.WebhookLimits.AllowHTTP")
	}
	if addr, err := netip.ParseAddr(strings.Trim(u.Hostname(), "[]")); err == nil {
		if err := s.conf.Gate.CheckAddr(addr); err != nil {
			return errtypes.Field("url", "cannot be reached: %s", errtypes.Public(err).Message)
		}
	}
	return nil
}

func (s *service) checkTexts(in Settings) error {
	for _, f := range []struct {
		name, value string
		most        int
	}{
		{"payloadTemplate", in.PayloadTemplate, s.conf.Limits.MaxTemplate}, {"headersTemplate", in.HeadersTemplate, s.conf.Limits.MaxTemplate},
		{"title", in.Title, maxTitle}, {"description", in.Description, maxTitle},
	} {
		if len(f.value) > f.most {
			return errtypes.Field(f.name, "must be at most %d bytes", f.most)
		}
	}
	return nil
}

// standardOnly refuses what the protocol [Standard] does not have.
func standardOnly(in Settings) error {
	const platform = "is of webhooks of the job platform"
	switch {
	case in.Condition != Condition{}:
		return errtypes.Field("condition", platform)
	case in.PayloadTemplate != "":
		return errtypes.Field("payloadTemplate", platform)
	case in.HeadersTemplate != "":
		return errtypes.Field("headersTemplate", platform)
	case in.Interpolate:
		return errtypes.Field("shouldInterpolateStrings", platform)
	}
	return nil
}

func (s *service) resolve(ctx context.Context, c Condition) (Condition, error) {
	if c == (Condition{}) || s.conf.Resolve == nil {
		return c, nil
	}
	return s.conf.Resolve(ctx, c)
}

// clip shortens a text of a client that is shown to it.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
