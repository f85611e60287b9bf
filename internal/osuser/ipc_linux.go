package osuser

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// removeIPC removes the shared memory, the queues and the semaphores of System V that
// users have made where this process is. Most users have a place of their own for
// these: see package child.
func removeIPC(users map[int]bool) error {
	remove := map[string]func(id int) error{
		"shm": func(id int) error { _, err := unix.SysvShmCtl(id, unix.IPC_RMID, nil); return err },
		"msg": func(id int) error { return control(unix.SYS_MSGCTL, id, unix.IPC_RMID, 0) },
		"sem": func(id int) error { return control(unix.SYS_SEMCTL, id, 0, unix.IPC_RMID) },
	}
	var errs []error
	for kind, remove := range remove {
		text, _ := os.ReadFile("/proc/sysvipc/" + kind) // a kernel without them has none
		for _, id := range owned(string(text), users) {
			if err := remove(id); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.EIDRM) {
				errs = append(errs, fmt.Errorf("osuser: %s %d: %w", kind, id, err))
			}
		}
	}
	return errors.Join(errs...)
}

func control(call uintptr, id, a, b int) error {
	if _, _, err := unix.Syscall(call, uintptr(id), uintptr(a), uintptr(b)); err != 0 {
		return err
	}
	return nil
}

// owned returns the numbers of those objects in a table of /proc/sysvipc whose owner
// or maker is one of the users.
func owned(table string, users map[int]bool) (ids []int) {
	head, rows, _ := strings.Cut(table, "\n")
	columns := strings.Fields(head)
	for line := range strings.Lines(rows) {
		fields, id, mine := strings.Fields(line), 0, false
		for i := range min(len(columns), len(fields)) {
			n, _ := strconv.Atoi(fields[i])
			switch columns[i] {
			case "shmid", "msqid", "semid":
				id = n
			case "uid", "cuid":
				mine = mine || users[n]
			}
		}
		if mine {
			ids = append(ids, id)
		}
	}
	return ids
}
