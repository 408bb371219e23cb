package registry

import (
	"bufio"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// environment looks variables up, as os.LookupEnv does.
type environment func(string) (string, bool)

func (e environment) get(name string) string {
	value, _ := e(name)
	return value
}

// npmrc are the settings of npm's user file.
func (e environment) npmrc() map[string]string {
	file := first(e.get("npm_config_userconfig"), e.get("NPM_CONFIG_USERCONFIG"), e.inHome(".npmrc"))
	return e.readFile(file)
}

// pipConf are the settings of pip's user file; its sections all count.
func (e environment) pipConf() map[string]string {
	file := first(e.get("PIP_CONFIG_FILE"), e.inConfig("pip", "pip.conf"))
	if runtime.GOOS == "windows" {
		file = first(e.get("PIP_CONFIG_FILE"), e.inConfig("pip", "pip.ini"))
	}
	return e.readFile(file)
}

// goEnv are the settings of "go env -w".
func (e environment) goEnv() map[string]string {
	file := first(e.get("GOENV"), e.inConfig("go", "env"))
	if file == "off" {
		return nil
	}
	return e.readFile(file)
}

func (e environment) inHome(name string) string {
	home := first(e.get("HOME"), e.get("USERPROFILE"))
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, name)
}

// inConfig is a file below the user's configuration folder, which is where
// os.UserConfigDir finds it for the process itself.
func (e environment) inConfig(names ...string) string {
	dir := ""
	switch runtime.GOOS {
	case "windows":
		dir = e.get("APPDATA")
	case "darwin":
		dir = e.inHome(filepath.Join("Library", "Application Support"))
	default:
		dir = first(e.get("XDG_CONFIG_HOME"), e.inHome(".config"))
	}
	if !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Join(append([]string{dir}, names...)...)
}

// readFile reads lines "key = value", which is what the three formats have in
// common; ${NAME} is looked up, as npm does. A file that is not there has none.
func (e environment) readFile(file string) map[string]string {
	if file == "" {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	found := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		key, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";") {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		found[strings.TrimSpace(key)] = os.Expand(value, func(name string) string { return e.get(name) })
	}
	return found
}

// first is the first text that is not empty.
func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
