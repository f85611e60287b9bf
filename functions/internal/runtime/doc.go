// Package runtime hands invocations to the processes of published functions, over
// the protocol that their unmodified runtime speaks: the process asks for the next
// invocation, and posts its result or its error.
//
// An [Endpoint] serves all processes of a host on loopback. Each process has a
// [Channel] with an address of its own, whose secret no other process knows.
// A process handles one invocation at a time. What it sends beside the answer to that
// takes no memory of the host's.
package runtime
