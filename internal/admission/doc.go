// Package admission is the one ledger of the machine's memory. Whoever starts
// processes that take much of it (browsers, functions, Actors) reserves what they
// are expected to take, and gives it back when they have ended.
//
// # What a grant counts
//
// Until its memory has been measured a grant counts what was reserved for it.
// Then it counts the larger of both for as long as it is young
// ([Options].Settle), because a process that has just been started has not yet
// grown to what it will take; later it counts what was measured last, alone.
//
// A process that several share has a grant, and each of those who share it has one
// within it ([Request].Within), as a browser and its tabs. Only the process as a
// whole is measured. What of that its parts count already it does not count
// again, so that together they count what was measured, and never less than was
// reserved for the parts. A part can be ended for want of room as any other
// grant. While it is young it is counted beside what was measured.
//
// # Who is next
//
// Nobody waits while there is room for him that is not held for another. Where
// there is none, spares and idle processes are ended, see below, and requests
// wait in turn:
//
//   - Projects take turns: the project comes first whose oldest request has
//     waited longest since it was made, or since the project was last admitted,
//     whichever is later. Within a project the oldest request comes first, so one
//     that has asked for a hundred places stands in nobody's way with them.
//   - Who does not fit is passed by those behind who do: a small request does
//     not wait behind a huge one.
//   - For the first one that does not fit, half of all that comes free is held
//     until it has enough. So a huge request gets its place after twice its size
//     has come free, however many small ones there are, and the small ones have
//     the other half meanwhile.
//   - Nothing is held for one that would not fit even if all had gone who came
//     later. And where it does not get enough within [Options].Wait it is another's
//     turn, and those who are there by then count as having come before. So a
//     request that cannot be met keeps nobody from what it cannot have.
//
// Who has memory is not touched by those who wait, but for one case: see below. Who cannot wait in a call has a
// place among them all the same ([Ledger.Await]).
//
// # What can be ended
//
// An owner can say of a grant that it is a spare, or that it is idle, and how to
// end it. Where room is short spares are ended first, those that have been there
// longest before others, then what is idle, the least recently used first, and no
// more than is needed. That is done before anybody waits, and when measured memory
// has grown beyond the total. To use it again the owner calls [Grant.Claim], which
// fails when it is being ended.
//
// # Who takes more than was reserved
//
// What is used can grow, as a browser does with its pages, and nobody is asked. So
// one project could take all that there is. Its share is the total by the number of
// projects that have or want some. When a request of a project that would not be
// over its share has waited for half of its time, and all that is unused has been
// ended, then what has grown is ended of projects that are over theirs, the largest
// first, until the request fits ([Grant.Outgrown]). What takes no more than was
// reserved for it is never ended so; and where one project is alone, or the others
// have what they want, it may take what it likes.
package admission
