package egress

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"

	"github.com/drover-go/drover/errtypes"
)

// The numbers of SOCKS 5 (RFC 1928) and of its log-in (RFC 1929).
const (
	socksVersion      = 5
	socksConnect      = 1
	socksNoLogin      = 0
	socksLogin        = 2
	socksNoMethod     = 0xff
	socksLoginVersion = 1
	socksIPv4         = 1
	socksName         = 3
	socksIPv6         = 4
)

// socksReplies say what a proxy's reply other than 0 means.
var socksReplies = [...]string{
	1: "failed", 2: "refuses to connect to the server", 3: "cannot reach the server's network", 4: "cannot reach the server",
	5: "was refused the connection by the server", 6: "could not connect to the server in time", 7: "makes no connections", 8: "does not take this kind of address",
}

var errSOCKSLogin = errors.New("the log-in failed")

// askSOCKS has a SOCKS 5 proxy connect conn to addr. Names go to it as they
// are.
func (u *Upstream) askSOCKS(conn io.ReadWriter, addr string) error {
	err := u.greetSOCKS(conn)
	var reply byte
	if err == nil {
		reply, err = connectSOCKS(conn, addr)
	}
	switch {
	case errors.Is(err, errSOCKSLogin):
		return u.errorf(errtypes.BadGateway, err, "wants a user name and a password, or does not take the ones it has got")
	case err != nil:
		return u.errorf(errtypes.BadGateway, err, "sent no SOCKS5 answer that can be read")
	case reply == 6:
		return u.errorf(errtypes.GatewayTimeout, nil, "%s (SOCKS reply 6)", socksReplies[reply])
	case reply != 0:
		text := "failed"
		if int(reply) < len(socksReplies) {
			text = socksReplies[reply]
		}
		return u.errorf(errtypes.BadGateway, nil, "%s (SOCKS reply %d)", text, reply)
	}
	return nil
}

// greetSOCKS agrees on a way to log in, and logs in.
func (u *Upstream) greetSOCKS(conn io.ReadWriter) error {
	hello := []byte{socksVersion, 1, socksNoLogin}
	if u.login != nil {
		hello = []byte{socksVersion, 2, socksNoLogin, socksLogin}
	}
	if _, err := conn.Write(hello); err != nil {
		return err
	}
	var answer [2]byte
	if _, err := io.ReadFull(conn, answer[:]); err != nil {
		return err
	}
	switch {
	case answer[0] != socksVersion:
		return fmt.Errorf("version %d", answer[0])
	case answer[1] == socksNoLogin:
		return nil
	case answer[1] == socksLogin && u.login != nil:
		return u.loginSOCKS(conn)
	case answer[1] == socksNoMethod:
		return errSOCKSLogin
	}
	return fmt.Errorf("method %d, which was not offered", answer[1])
}

func (u *Upstream) loginSOCKS(conn io.ReadWriter) error {
	msg := []byte{socksLoginVersion}
	l := u.login()
	for _, text := range []string{l.user, l.password} {
		msg = append(append(msg, byte(len(text))), text...)
	}
	if _, err := conn.Write(msg); err != nil {
		return err
	}
	var answer [2]byte
	if _, err := io.ReadFull(conn, answer[:]); err != nil {
		return err
	}
	switch {
	case answer[0] != socksLoginVersion:
		return fmt.Errorf("version %d of the log-in", answer[0])
	case answer[1] != 0:
		return errSOCKSLogin
	}
	return nil
}

// connectSOCKS asks for the connection and returns the reply's code.
func connectSOCKS(conn io.ReadWriter, addr string) (byte, error) {
	msg, err := socksRequest(addr)
	if err != nil {
		return 0, err
	}
	if _, err := conn.Write(msg); err != nil {
		return 0, err
	}
	return readSOCKSReply(conn)
}

func socksRequest(addr string) ([]byte, error) {
	host, port, err := splitAddr("tcp", addr)
	if err != nil {
		return nil, err
	}
	msg := []byte{socksVersion, socksConnect, 0}
	ip, err := netip.ParseAddr(host)
	switch ip = ip.Unmap(); {
	case err == nil && ip.Is4():
		msg = append(append(msg, socksIPv4), ip.AsSlice()...)
	case err == nil:
		msg = append(append(msg, socksIPv6), ip.AsSlice()...)
	case len(host) > 255:
		return nil, &net.AddrError{Err: "name too long", Addr: host}
	default:
		msg = append(append(msg, socksName, byte(len(host))), host...)
	}
	return binary.BigEndian.AppendUint16(msg, port), nil
}

// readSOCKSReply reads a reply to its end and not beyond, a refusal only as far
// as its code, which it returns.
// The address in it is the proxy's own affair.
func readSOCKSReply(in io.Reader) (byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return 0, err
	}
	if head[0] != socksVersion {
		return 0, fmt.Errorf("version %d", head[0])
	}
	if head[1] != 0 { // some send nothing more with a refusal
		return head[1], nil
	}
	length, err := socksAddrLength(in, head[3])
	if err != nil {
		return 0, err
	}
	var rest [255 + 2]byte
	_, err = io.ReadFull(in, rest[:length+2])
	return 0, err
}

func socksAddrLength(in io.Reader, kind byte) (int, error) {
	switch kind {
	case socksIPv4:
		return 4, nil
	case socksIPv6:
		return 16, nil
	case socksName:
		var n [1]byte
		_, err := io.ReadFull(in, n[:])
		return int(n[0]), err
	}
	return 0, fmt.Errorf("address type %d", kind)
}
