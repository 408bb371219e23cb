package sandbox

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
)

// uidRange are the user ids that runs started by root get: unassigned in
// systemd's plan of ids (https://systemd.io/UIDS-GIDS), above the range that
// containers are given. One id a run, so that no run may signal another and
// per-user limits count one run.
const (
	uidFirst = 1_900_000_000
	uidCount = 1 << 24
)

// inside is the user and group that the command sees itself as.
const inside = 1000

// credential picks the identity of one run: nil, that is our own, unless we
// are root.
func credential() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	first, count := uint32(uidFirst), uint32(uidCount)
	if largest, n := largestMapping("/proc/self/uid_map"); uint64(largest)+uint64(n) < uidFirst+uidCount {
		// Root of a container with few ids: take the upper ones, below nobody.
		if n < 2000 {
			return nil, fmt.Errorf("this user namespace has %d user ids: expected 2000 or more, or all", n)
		}
		first, count = largest+n-1536-1, 1000
	}
	id := first + rand.Uint32N(count)
	return &syscall.Credential{Uid: id, Gid: id}, nil
}

// largestMapping reads an id map: the first id inside and the number of ids of
// its largest line.
func largestMapping(file string) (first, count uint32) {
	f, err := os.Open(file)
	if err != nil {
		return 0, 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var in, out, n uint32
		if _, err := fmt.Sscan(strings.TrimSpace(lines.Text()), &in, &out, &n); err == nil && n > count {
			first, count = in, n
		}
	}
	return first, count
}
