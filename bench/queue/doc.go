// Package queue measures Drover's queue beside River, both on a file of SQLite
// with the same driver and the same pragmas, in turns in one run.
package queue
