// Package child runs every process that is not ours: browsers, functions,
// Actors. What it starts it also ends, whole.
//
// A [Manager] is one host's. Each child has a process group, a directory of its
// own for temporary files, an environment that holds nothing but what its
// [Spec] lists, and a marker in it. The marker is inherited, so that what a child
// starts is known as its own, also when it has called setsid and its parent has
// gone. Output comes as lines under a cap and is never waited for; what is
// dropped is counted and said. Limits hold for all processes of a child together.
//
// A child is over when its first process has ended. Then what is left of it is
// killed, looking again until nothing is left, its directory is removed, and
// [Process.Done] is closed. [End] says why it ended.
//
// # When the host dies
//
// The first process of each child is killed by the kernel with the host. What it
// had started, and the directories, the next host with the same TempDir ends and
// removes when it opens ([Open], [Manager.Sweep]). A host is dead when the lock on its
// directory is free; see [workdir]. Process ids are not asked, since the system
// hands them out again, and hosts on one machine never touch each other's
// children.
//
// # How processes are known
//
// On Linux a process belongs to a child when it runs as a user that is the child's
// alone ([User].Exclusive), was once seen to belong to it, or has a parent that
// belongs to it; and where none of these holds for any child, when it is in the
// process group or carries the marker of one that runs as the same user. With control
// groups of version 2, in a directory that the host may write to, a child is in
// a group of its own from its first instruction, and is ended by cgroup.kill.
// Without one, and as the host's user, who clears its environment, or names another
// child there, and leaves its parent before it has been looked at gets away: see
// docs/security.md.
//
// Other systems have process groups only (Windows not even these): what leaves
// the group is not found, nothing is measured or limited but time, and what a
// dead host leaves running is not ended.
package child
