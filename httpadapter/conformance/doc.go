// Package conformance holds the wire behaviour of the interfaces as data. It
// has tests only.
//
// Every file testdata/*.txtar is a conversation with a fresh service: requests
// as they go over the wire, each with the answer that is expected. Each file is
// played against the handler in process, as it stands over a socket, and by a
// client of HTTP/2, and every exchange is held against the OpenAPI document.
// "go test -update" rewrites the answers.
//
// # The files
//
// The comment of a file says what it is about; a line "setup: name" in it picks
// one of the setups in setup_test.go. The sections are:
//
//	-- name.request --   a request line without version, headers, an empty line, the body
//	-- name.response --  the status, chosen headers, an empty line, the body
//	-- name.wait --      the id of a run that is waited for until it has ended;
//	                     <site>/hang for a page that is waited for until it is asked for
//
// Host and Content-Length are added to a request where they are missing. Of the
// headers of an answer those stand in the file that are not the same in every
// answer (see shownHeaders). A JSON body is indented, of a zip there stand the names
// and contents of its files.
//
// What differs from time to time is replaced: ids by <id:1>, <id:2> in the order
// they are first seen in the file, cursors by <cursor:1>, times by <time> where
// the setup has no clock of its own, addresses of the test's servers by <site>
// and the like. The same words in a request stand for the same values; <key> is
// the key of the project, <other-key> that of another one.
package conformance
