// Package storage opens Drover's database and is the only place that knows
// which database it is.
//
// Domains reach it through two calls. [DB.Read] runs a function in a read
// transaction of its own, [DB.Write] in the one write transaction there is at
// a time. Both hand down a [Querier]; the functions that hold a domain's SQL
// take one and so compose inside a single transaction.
//
// Two mistakes that would block or corrupt are detected rather than
// documented: rows left open when the call ends ([ErrRowsOpen]) and the
// database used inside a transaction other than through its Querier
// ([ErrNested]).
//
// Queries are written so that a second dialect can stand beside SQLite:
// parameters are $1, $2, …, writes return with RETURNING, conflicts are
// resolved with ON CONFLICT, and invariants are constraints or conditional
// updates. Times are integers, Unix milliseconds; see [Millis] and [Time].
package storage
