// Package egress is the one gate through which Drover reaches addresses that
// a caller or a page can choose: fetched pages, webhooks, and everything a
// browser loads.
//
// A [Gate] dials. It resolves a name, checks every address it got against the
// registries of special addresses, and connects to an address it has checked,
// never to a name; so redirects and DNS answers that change between check and
// use change nothing. What it refuses is a [RefusedError], which names the
// class of the address and the option that opens it.
//
// [ParseURL] reads a URL as browsers do and returns the one form in which it
// is checked, dialled and sent.
//
// A [Policy] says what one session, or one fetch, may reach and through which
// proxies behind the gate; a [Dialer] connects as it says. A proxy looks names
// up for itself, so what it is asked for is checked before: special addresses,
// and names that lead to one as seen from here. What a name leads to where the
// proxy stands cannot be seen from here: a proxy keeps its own network itself,
// or [Options].RefuseUnknownNames helps it as far as that goes.
//
// A policy may add authorities and client certificates. A proxy then speaks TLS
// itself to the servers that need them, and shows the browser a certificate of
// its own; all other tunnels it leaves alone.
//
// A [Proxy] is a forward proxy on the gate for one browser session.
//
// URLs that the host configures (language models, remote browsers, the proxies
// of a [Pool], which may stand in a private network) and the own
// traffic of functions and Actors do not pass here.
package egress
