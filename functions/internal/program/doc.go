// Package program runs the processes of published functions. A process belongs to
// one version of a program and handles one invocation at a time; it is kept warm
// for the next one of the same version, for a while and as long as there is room.
//
// What is warm counts as idle in the ledger of memory, which ends it when others
// need room. A process whose invocation is broken off is killed whole, and so is
// one whose invocation has ended badly: its state is not trusted any more.
package program
