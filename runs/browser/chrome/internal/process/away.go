package process

// awayFlags send what a browser asks its maker for of its own accord to addr,
// which refuses everything, instead of through the proxy that its pages use. A
// page that goes there past the proxy finds nothing. Without an address, there
// are none: the process's own proxy refuses everything then.
func awayFlags(addr string) []string {
	if addr == "" {
		return nil
	}
	away := "http://" + addr
	return []string{
		"--proxy-bypass-list=<-loopback>;" + addr, // the last of its name counts
		"--component-updater=url-source=" + away + "/",
		"--gaia-url=" + away,
		"--google-apis-url=" + away,
	}
}
