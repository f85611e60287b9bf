// Package archtest holds the architecture as tests: which package may import
// which, what each one depends on, and who may open connections.
package archtest
