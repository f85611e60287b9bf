// Package mux lets several speak with one browser: the session itself, whose
// driver is chromedp, and external clients of sessions, each of which believes
// that the browser is its own.
//
// A [Wire] is the connection to a browser; it hands each message to whom it is
// for. [Clients] are those of one [Session]. What a client may say is decided by
// package policy, command by command; what the policy wants to be answered here
// has a stage, in the files stage_*.go. Clients hear of targets what the session
// knows of them, never what the browser would tell of others.
//
// Pictures are made in [Turns], because they lie in the browser's memory several
// times over and the browser serves others, too.
package mux
