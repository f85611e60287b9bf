package egress

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// socketTable lists the TCP sockets of this network namespace with their
// owners.
const socketTable = "/proc/self/net/tcp"

// knowsCallers reports whether the system tells who owns a connection.
func knowsCallers() bool {
	f, err := os.Open(socketTable)
	if err != nil {
		return false
	}
	return f.Close() == nil
}

// sameUser reports whether the process at the other end of a loopback
// connection is of this process's user.
func sameUser(conn net.Conn) bool {
	here := conn.LocalAddr().(*net.TCPAddr).AddrPort()
	there := conn.RemoteAddr().(*net.TCPAddr).AddrPort()
	uid, ok := socketOwner(there, here)
	return ok && uid == os.Geteuid()
}

// socketOwner finds the user of the socket that connects local to remote. What
// nobody holds open any more counts as root's.
func socketOwner(local, remote netip.AddrPort) (uid int, ok bool) {
	if uid, ok := diagOwner(local, remote); ok {
		return uid, true
	}
	return tableOwner(local, remote)
}

// tableOwner reads the table, which takes the longer the more sockets there are,
// closed ones of the last minute included.
func tableOwner(local, remote netip.AddrPort) (uid int, ok bool) {
	f, err := os.Open(socketTable)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	wantLocal, wantRemote := tableAddr(local), tableAddr(remote)
	for s := bufio.NewScanner(f); s.Scan(); {
		fields := strings.Fields(s.Text())
		if len(fields) > 7 && fields[1] == wantLocal && fields[2] == wantRemote {
			uid, err := strconv.Atoi(fields[7])
			return uid, err == nil
		}
	}
	return 0, false
}

// tableAddr writes an IPv4 address as the table does: the 32 bits as a number
// of this machine's byte order, both numbers in hexadecimal.
func tableAddr(a netip.AddrPort) string {
	ip := a.Addr().Unmap().As4()
	return fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(ip[:]), a.Port())
}
