// Package examples holds ten small programs, a directory each. Every one says at its top
// what it shows and how it is run; the test of this package runs them all.
//
//   - fetch-markdown, fetch-json: a page as markdown, and in the shape of a Go type
//   - playwright-session: Playwright in JavaScript drives a session that Go serves
//   - agent: a language model does a task in a browser
//   - function, actor: Go functions that are invoked, and that run as jobs
//   - crawler: a Cheerio crawler of npm is built and run as an Actor
//   - schedule: an Actor is started by a cron expression
//   - embed: Drover below a path of a program with routes of its own
//   - host-tests: tests of a program that imports Drover
package examples
