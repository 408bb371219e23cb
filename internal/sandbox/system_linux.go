package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

// topFolders hold programs and libraries. On most systems all but /usr are
// links into it.
var topFolders = [...]string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"}

// etcFiles is what programs need of /etc, and no secret among it: never the
// folder as a whole, with shadow, keys and configurations. Missing ones are
// left out.
var etcFiles = [...]string{
	"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
	"/etc/alternatives", "/etc/localtime", "/etc/os-release", "/etc/mime.types",
	"/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ssl/cert.pem",
	"/etc/pki/tls/certs", "/etc/pki/tls/openssl.cnf", "/etc/pki/ca-trust/extracted",
	"/etc/ca-certificates/extracted", "/etc/crypto-policies/back-ends",
}

// etcNetwork is what the fetch phase needs in addition.
var etcNetwork = [...]string{"/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/gai.conf"}

// Stubs stand for files that would name the host's people.
const (
	passwdStub = "root:x:0:0:root:/nonexistent:/usr/sbin/nologin\nsandbox:x:1000:1000:sandbox:/sandbox/home:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
	groupStub  = "root:x:0:\nsandbox:x:1000:\nnogroup:x:65534:\n"
	hostsStub  = "127.0.0.1 localhost sandbox\n::1 localhost\n"
)

// defaultPath is PATH inside when the Spec gives none.
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// systemArguments are bwrap's arguments for the read-only system.
func systemArguments(network bool) []string {
	var args []string
	for _, dir := range topFolders {
		info, err := os.Lstat(dir)
		switch {
		case err != nil:
		case info.Mode()&os.ModeSymlink != 0:
			if target, err := os.Readlink(dir); err == nil {
				args = append(args, "--symlink", target, dir)
			}
		default:
			args = append(args, "--ro-bind", dir, dir)
		}
	}
	files := etcFiles[:]
	if network {
		files = append(files[:len(files):len(files)], etcNetwork[:]...)
	}
	for _, file := range files {
		// Links (resolv.conf, localtime) are followed here, so that their
		// target need not exist inside.
		if real, err := filepath.EvalSymlinks(file); err == nil {
			args = append(args, "--ro-bind", real, file)
		}
	}
	return args
}

// inSystem says whether a path is bound already by systemArguments.
func inSystem(path string) bool {
	for _, dir := range topFolders {
		if within(path, dir) {
			return true
		}
	}
	return false
}

// within says whether path is dir or below it. Both are clean.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
