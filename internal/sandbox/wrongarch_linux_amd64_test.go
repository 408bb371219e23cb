package sandbox

import (
	"fmt"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

func init() { behaviours["int80"] = int80 }

// int80 makes a system call the 32-bit way, where getpid has another number
// and a filter for 64-bit numbers is blind.
func int80([]string) int {
	code, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return 1
	}
	copy(code, []byte{0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3}) // mov eax, 20; int 0x80; ret
	entry := unsafe.Pointer(&code[0])
	function := unsafe.Pointer(&entry)
	(*(*func())(unsafe.Pointer(&function)))()
	fmt.Println("called: getpid")
	return 0
}

func TestCallsOfAnotherArchitectureEndTheRun(t *testing.T) {
	s := isolated(t)
	if out, r := play(t, bare(t), hostileSpec("int80")); out != "called: getpid\n" {
		t.Skipf("skipped: this kernel has no 32-bit calls: %+v", r)
	}
	if out, r := play(t, s, hostileSpec("int80")); out != "" || r.Class != Denied || r.Signal != "SIGSYS" {
		t.Errorf("%q %+v", out, r)
	}
	good(t, s)
}
