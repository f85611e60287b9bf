// Package process has the browsers that run: it starts and ends them, watches over
// them, and keeps one for each project and kind of session.
//
// A [Process] is one Chromium, a child process on a pipe or one that runs elsewhere.
// It passes what the browser tells on to the [Session] that it is about. A [Fleet]
// has the processes that several sessions may be in, a [Pool] for each owner, with
// spares in them; [Slots] are the rights to have a session open. What a session is
// made of is none of this package's business.
package process
