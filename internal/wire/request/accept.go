package request

import (
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// Accepted returns which of the offered media types the caller likes best, the
// first of equals; false if none will do. Without an Accept header any does.
// What is malformed in the header counts as not there; of the parameters only
// the weight counts.
func Accepted(r *http.Request, offers ...string) (best string, ok bool) {
	header := strings.Join(r.Header.Values("Accept"), ",")
	if strings.TrimSpace(header) == "" {
		return offers[0], true
	}
	ranges := mediaRanges(header)
	var most float64
	for _, offer := range offers {
		if weight := weightOf(offer, ranges); weight > most {
			best, most = offer, weight
		}
	}
	return best, most > 0
}

type mediaRange struct {
	name   string
	weight float64
}

func mediaRanges(header string) (all []mediaRange) {
	for part := range strings.SplitSeq(header, ",") {
		name, params, err := mime.ParseMediaType(part)
		weight, good := parseWeight(params["q"])
		if err == nil && good {
			all = append(all, mediaRange{name, weight})
		}
	}
	return all
}

var weightForm = regexp.MustCompile(`^(0(\.\d{0,3})?|1(\.0{0,3})?)$`)

func parseWeight(s string) (float64, bool) {
	if s == "" {
		return 1, true
	}
	if !weightForm.MatchString(s) {
		return 0, false
	}
	weight, err := strconv.ParseFloat(s, 64)
	return weight, err == nil
}

// weightOf is what the most specific of the ranges that an offer is in says.
func weightOf(offer string, ranges []mediaRange) float64 {
	kind, _, _ := strings.Cut(offer, "/")
	for _, name := range []string{offer, kind + "/*", "*/*"} {
		weight := -1.0
		for _, r := range ranges {
			if r.name == name {
				weight = max(weight, r.weight)
			}
		}
		if weight >= 0 {
			return weight
		}
	}
	return 0
}

// Codings returns which of the offered content codings the caller accepts. Without
// an Accept-Encoding header that is none.
func Codings(r *http.Request, offers ...string) (accepted []string) {
	ranges := mediaRanges(strings.Join(r.Header.Values("Accept-Encoding"), ","))
	for _, offer := range offers {
		weight := -1.0
		for _, c := range ranges {
			if c.name == offer || c.name == "*" && weight < 0 {
				weight = c.weight
			}
		}
		if weight > 0 {
			accepted = append(accepted, offer)
		}
	}
	return accepted
}
