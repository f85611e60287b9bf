package egress

import (
	"encoding/binary"
	"net/netip"
	"syscall"
)

// The kernel's interface to sockets (linux/sock_diag.h, linux/inet_diag.h).
const (
	netlinkSockDiag  = 4
	sockDiagByFamily = 20
	diagRequestSize  = syscall.NLMSG_HDRLEN + 56 // struct inet_diag_req_v2
	diagUIDAt        = syscall.NLMSG_HDRLEN + 64 // in struct inet_diag_msg
)

// diagOwner asks the kernel for the user of the one socket that connects local
// to remote, which takes the same time however many sockets there are. known is
// false where the kernel does not answer such questions.
func diagOwner(local, remote netip.AddrPort) (uid int, known bool) {
	fd, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, netlinkSockDiag)
	if err != nil {
		return 0, false
	}
	defer syscall.Close(fd)
	request := diagRequest(local, remote)
	if err := syscall.Sendto(fd, request, 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}); err != nil {
		return 0, false
	}
	var answer [1024]byte // it is there when Sendto returns
	n, from, err := syscall.Recvfrom(fd, answer[:], syscall.MSG_DONTWAIT)
	kernel, ok := from.(*syscall.SockaddrNetlink)
	if err != nil || !ok || kernel.Pid != 0 || n < diagUIDAt+4 || binary.NativeEndian.Uint16(answer[4:]) != sockDiagByFamily {
		return 0, false
	}
	return int(binary.NativeEndian.Uint32(answer[diagUIDAt:])), true
}

// diagRequest asks for the one IPv4 TCP socket with these ends.
func diagRequest(local, remote netip.AddrPort) []byte {
	b := make([]byte, diagRequestSize)
	binary.NativeEndian.PutUint32(b[0:], uint32(len(b)))
	binary.NativeEndian.PutUint16(b[4:], sockDiagByFamily)
	binary.NativeEndian.PutUint16(b[6:], syscall.NLM_F_REQUEST)
	body := b[syscall.NLMSG_HDRLEN:]
	body[0], body[1] = syscall.AF_INET, syscall.IPPROTO_TCP
	binary.NativeEndian.PutUint32(body[4:], 0xffffffff) // in whatever state
	binary.BigEndian.PutUint16(body[8:], local.Port())
	binary.BigEndian.PutUint16(body[10:], remote.Port())
	from, to := local.Addr().Unmap().As4(), remote.Addr().Unmap().As4()
	copy(body[12:], from[:])
	copy(body[28:], to[:])
	for i := 48; i < 56; i++ { // no cookie
		body[i] = 0xff
	}
	return b
}
