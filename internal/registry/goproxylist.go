package registry

import (
	"errors"
	"strings"
)

// proxyList reads GOPROXY (go.dev/ref/mod#goproxy-protocol): proxies are asked
// in order; after a comma only when the one before does not have the module,
// after a bar whatever went wrong.
func proxyList(text string) ([]proxyEntry, error) {
	var list []proxyEntry
	for text != "" {
		end := strings.IndexAny(text, ",|")
		entry := proxyEntry{address: text}
		if end >= 0 {
			entry.address, entry.orElse = text[:end], text[end] == '|'
			text = text[end+1:]
		} else {
			text = ""
		}
		entry.address = strings.TrimSpace(entry.address)
		switch entry.address {
		case "":
			continue
		case "direct", "off":
		default:
			var err error
			if entry.address, err = cleanURL("a proxy of GOPROXY", entry.address); err != nil {
				return nil, err
			}
		}
		list = append(list, entry)
	}
	if len(list) == 0 {
		return nil, errors.New("GOPROXY names no proxy")
	}
	return list, nil
}

// proxyEntry is one element of GOPROXY.
type proxyEntry struct {
	address string // or "direct", "off"
	orElse  bool   // the next is asked after any error
}
