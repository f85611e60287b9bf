// Package goclients drives a session of Drover with unmodified Go clients for
// browsers. The tests are run by TestGoClients of the directory above, which
// says where the session is.
package goclients
