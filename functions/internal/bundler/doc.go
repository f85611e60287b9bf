// Package bundler bundles published programs, in a process of its own.
//
// The bundler is a library, and what it reads is a stranger's: a text that is nested
// deeply enough ends the process that it runs in, and it reads files that its input
// names. So it runs in a child, with limits and as another user: the program of the
// host, started again under the [Name]. A program that imports this package becomes
// the bundler where it is called so, before anything of its main package runs; under
// any other name the package does nothing.
package bundler
