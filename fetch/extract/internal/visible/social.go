package visible

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// networks are the names of places where people follow each other.
var networks = setOf("facebook instagram linkedin youtube tiktok pinterest mastodon bluesky threads twitter x x/twitter twitter/x xing vk telegram whatsapp snapchat flickr vimeo github gitlab tumblr reddit discord twitch soundcloud spotify bandcamp weibo wechat line medium behance dribbble strava yelp tripadvisor")

// followWords are what stands before or behind those names.
var followWords = setOf("follow us on our visit find page profile channel account join the me like watch see at folge uns auf suivez-nous sur síguenos en seguici su volg ons op")

// socialLink adds a link that is called by the name of a network to the
// profiles of whom the page is about. Links that share the page are none.
func (r *reader) socialLink(i int, v graph.Value) {
	el := r.nodes[i].el
	if isSocial(v.Shown) || isSocial(attr(el, "aria-label")) || isSocial(attr(el, "title")) {
		if !sharesPage(el) {
			v.Source = graph.Label
			r.add(r.nodes[i].part, "social links", v)
		}
	}
}

func isSocial(s string) bool {
	if s == "" || len(s) > maxMoney {
		return false
	}
	found := 0
	for word := range strings.FieldsSeq(strings.ToLower(s)) {
		word = strings.Trim(word, ".,:()[]")
		switch {
		case networks[word]:
			found++
		case !followWords[word]:
			return false
		}
	}
	return found == 1
}

// sharesPage reports whether a link carries an address to a form that shares it.
func sharesPage(n *html.Node) bool {
	href := strings.ToLower(cut(attr(n, "href"), 4*maxNames))
	return strings.Contains(href, "share") || strings.Contains(href, "intent/") || strings.Contains(href, "url=") || strings.Contains(href, "?u=") || strings.Contains(href, "text=")
}
