// Package sessions measures Drover's browser sessions beside playwright-core's
// on the same Chromium, one after the other, the two in turns.
package sessions
