package chrome_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"encoding/binary"
	"io"
	"net"
	"sync"
	"testing"
)

// What a TURN server says (RFC 8489 and 8656).
const (
	stunCookie = 0x2112A442

	turnAllocate = 0x0003
	stunSuccess  = 0x0100
	stunError    = 0x0110

	stunIntegrity = 0x0008
	stunErrorCode = 0x0009
	turnLifetime  = 0x000d
	turnRelayed   = 0x0016
	stunRealm     = 0x0014
	stunNonce     = 0x0015
	stunMapped    = 0x0020
)

// turnServer is a relay over TCP for the user u with the password p. It takes
// nothing further, and says of everybody that they come from 203.0.113.8.
func turnServer(t testing.TB) (addr string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { c.Close() })
			wg.Go(func() { serveTURN(c) })
		}
	})
	t.Cleanup(func() { ln.Close() })
	return ln.Addr().String()
}

func serveTURN(c net.Conn) {
	defer c.Close()
	head := make([]byte, 20)
	for {
		if _, err := io.ReadFull(c, head); err != nil {
			return
		}
		body := make([]byte, binary.BigEndian.Uint16(head[2:]))
		if _, err := io.ReadFull(c, body); err != nil {
			return
		}
		if kind := binary.BigEndian.Uint16(head); kind == turnAllocate {
			c.Write(allocated(head[8:], bytes.Contains(body, []byte("a nonce"))))
		} else {
			c.Write(stunMessage(kind|stunSuccess, head[8:], nil, true))
		}
	}
}

// allocated answers who asks for a place.
func allocated(id []byte, known bool) []byte {
	if !known {
		var a []byte
		a = stunAttribute(a, stunErrorCode, []byte{0, 0, 4, 1})
		a = stunAttribute(a, stunRealm, []byte("realm"))
		return stunMessage(turnAllocate|stunError, id, stunAttribute(a, stunNonce, []byte("a nonce")), false)
	}
	var a []byte
	a = stunAttribute(a, turnRelayed, stunAddress(net.IPv4(203, 0, 113, 9), 4000))
	a = stunAttribute(a, stunMapped, stunAddress(net.IPv4(203, 0, 113, 8), 5000))
	a = stunAttribute(a, turnLifetime, []byte{0, 0, 2, 88})
	return stunMessage(turnAllocate|stunSuccess, id, a, true)
}

func stunAttribute(to []byte, kind uint16, value []byte) []byte {
	to = binary.BigEndian.AppendUint16(to, kind)
	to = binary.BigEndian.AppendUint16(to, uint16(len(value)))
	to = append(to, value...)
	return append(to, make([]byte, (4-len(value)%4)%4)...)
}

func stunAddress(ip net.IP, port uint16) []byte {
	a := []byte{0, 1}
	a = binary.BigEndian.AppendUint16(a, port^(stunCookie>>16))
	return binary.BigEndian.AppendUint32(a, binary.BigEndian.Uint32(ip.To4())^stunCookie)
}

func stunMessage(kind uint16, id, attributes []byte, sign bool) []byte {
	length := len(attributes)
	if sign {
		length += 4 + sha1.Size
	}
	m := binary.BigEndian.AppendUint16(nil, kind)
	m = binary.BigEndian.AppendUint16(m, uint16(length))
	m = binary.BigEndian.AppendUint32(m, stunCookie)
	m = append(append(m, id...), attributes...)
	if sign {
		key := md5.Sum([]byte("u:realm:p"))
		mac := hmac.New(sha1.New, key[:])
		mac.Write(m)
		m = stunAttribute(m, stunIntegrity, mac.Sum(nil))
	}
	return m
}
