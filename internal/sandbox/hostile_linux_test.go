package sandbox

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary is also the hostile program: `sandbox.test hostile NAME …`.
// Each behaviour bounds itself (200 processes, 256 MB, 64 MB of output, 10 s),
// so that the negative controls without a sandbox are safe on any machine.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "hostile" {
		time.AfterFunc(10*time.Second, func() { os.Exit(99) })
		behaviour, ok := behaviours[os.Args[2]]
		if !ok {
			fmt.Fprintln(os.Stderr, "no such behaviour:", os.Args[2])
			os.Exit(98)
		}
		os.Exit(behaviour(os.Args[3:]))
	}
	code := m.Run()
	if left := leftovers(); len(left) > 0 && code == 0 {
		fmt.Fprintln(os.Stderr, "left behind:", left)
		code = 1
	}
	os.Exit(code)
}

// behaviours report what they achieved in lines "word: detail"; achieving
// nothing is no output.
var behaviours = map[string]func(args []string) int{
	"echo":     echo,
	"net":      reachOut,
	"secrets":  findSecrets,
	"fds":      listFiles,
	"fork":     forkBomb,
	"memory":   memoryBomb,
	"flood":    func([]string) int { return flood(os.Stdout) },
	"complain": func([]string) int { return flood(os.Stderr) },
	"orphan":   orphan,
	"linger":   linger,
	"write":    writeOutside,
	"fill":     fill,
	"read":     readFiles,
	"calls":    forbiddenCalls,
	"posture":  posture,
	"exit":     func([]string) int { return 7 },
	"deaf":     deaf,
}

// echo is the well-behaved server: one line back for each line.
func echo([]string) int {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println("echo: " + lines.Text())
	}
	return 0
}

// reachOut connects to each address, by TCP and UDP, and looks up a name.
func reachOut(addresses []string) int {
	for _, address := range addresses {
		for _, network := range []string{"tcp", "udp"} {
			c, err := net.DialTimeout(network, address, 2*time.Second)
			if err != nil {
				continue
			}
			if _, err := c.Write([]byte("secret")); err == nil {
				fmt.Printf("sent %s: %s\n", network, address)
			}
			c.Close()
		}
	}
	return 0
}

// findSecrets looks for the marker, which comes in two halves so that our own
// arguments do not hold it, in every place where another process's secrets can
// show, and in the files named.
func findSecrets(args []string) int {
	marker, places := []byte(args[0]+args[1]), args[2:]
	look := func(place string, data []byte) {
		if bytes.Contains(data, marker) {
			fmt.Println("found: " + place)
		}
	}
	look("environment", []byte(strings.Join(os.Environ(), "\n")))
	pids, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range pids {
		for _, file := range []string{"environ", "cmdline", "mountinfo", "cwd/canary", "root/" + places[0]} {
			data, _ := os.ReadFile(filepath.Join(dir, file))
			look("/proc/*/"+file, data)
		}
	}
	for _, place := range places {
		if data, err := os.ReadFile(place); err == nil {
			look("file", data)
		}
	}
	return 0
}

// listFiles prints what is open beyond standard input, output and error.
func listFiles([]string) int {
	for fd := 3; fd < 256; fd++ {
		if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0); errno != 0 {
			continue
		}
		name, _ := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
		if !strings.HasPrefix(name, "anon_inode:[event") { // the Go runtime's
			fmt.Printf("open: %d %s\n", fd, name)
		}
	}
	return 0
}

func forkBomb([]string) int {
	started := 0
	for range 150 {
		c := exec.Command("sleep", "8")
		if c.Start() != nil {
			fmt.Println("refused: after", started)
			return 1
		}
		started++
	}
	fmt.Println("started:", started)
	return 0
}

func memoryBomb([]string) int {
	var hold [][]byte
	fmt.Println("begun")
	for range 30 {
		chunk := make([]byte, 8<<20)
		for i := 0; i < len(chunk); i += 4096 {
			chunk[i] = 1
		}
		hold = append(hold, chunk)
	}
	fmt.Println("allocated:", len(hold)*8, "MB")
	return 0
}

func flood(to io.Writer) int {
	line := bytes.Repeat([]byte("x"), 64<<10)
	for range 512 { // 32 MB
		if _, err := to.Write(line); err != nil {
			return 1
		}
	}
	return 0
}

// orphan leaves a process in a session of its own, two forks away, that takes
// no notice of signals and keeps standard output. The token is how the test
// finds it.
func orphan(args []string) int {
	c := exec.Command(os.Args[0], "hostile", "linger", args[0], "again")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if c.Start() != nil {
		return 1
	}
	time.Sleep(200 * time.Millisecond)
	fmt.Println("left: orphan")
	return 0
}

func linger(args []string) int {
	signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	if len(args) > 1 {
		c := exec.Command(os.Args[0], "hostile", "linger", args[0])
		c.Stdout, c.Stderr = os.Stdout, os.Stderr
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		c.Start()
		return 0
	}
	time.Sleep(9 * time.Second)
	return 0
}

// deaf ignores the end of its input and SIGTERM.
func deaf([]string) int {
	signal.Ignore(syscall.SIGTERM)
	fmt.Println("deaf: yes")
	time.Sleep(9 * time.Second)
	return 0
}

func writeOutside(places []string) int {
	for _, dir := range places {
		file := filepath.Join(dir, "hostile-was-here")
		if os.WriteFile(file, []byte("x"), 0o644) == nil {
			fmt.Println("wrote: " + dir)
			os.Remove(file)
		}
	}
	return 0
}

// fill writes up to 48 MB into each folder.
func fill(places []string) int {
	chunk := make([]byte, 1<<20)
	for _, dir := range places {
		f, err := os.Create(filepath.Join(dir, "fill"))
		if err != nil {
			continue
		}
		n := 0
		for ; n < 48; n++ {
			if _, err := f.Write(chunk); err != nil {
				break
			}
		}
		f.Close()
		os.Remove(f.Name())
		fmt.Printf("filled: %s %d\n", dir, n)
	}
	return 0
}

func readFiles(files []string) int {
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil {
			fmt.Printf("read: %s %.40q\n", file, data)
		}
	}
	return 0
}
