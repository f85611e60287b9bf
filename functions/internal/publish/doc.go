// Package publish makes a program that can be run of what somebody has published:
// the archive is unpacked, what its lock file names is installed, the entry point is
// bundled, and run once so that it says which functions it has.
//
// Nothing of the program is trusted: what runs of it runs as a child process with
// limits, no script of a package is run, and the bundler reads no file outside of
// the archive.
package publish
