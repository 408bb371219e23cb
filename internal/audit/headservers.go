package audit

import (
	"slices"

	"github.com/mcp-lint/mcp-lint/internal/config"
	"github.com/mcp-lint/mcp-lint/internal/launch"
)

// servers lists what the head launches. In a pull request a list of servers
// that the trusted configuration does not have yet adds to the clients' files
// and does not stand for them: else three bytes would hide from us what every
// client of the repository starts.
func (rv *auditing) servers(pull bool) ([]launch.Server, []fileError) {
	servers, bad := rv.head.servers(rv.own)
	if !pull || rv.own.Servers == nil || rv.policy.Servers != nil {
		return servers, bad
	}
	servers = slices.Clone(servers)
	discovered, bad := rv.head.servers(config.Default(""))
	for _, d := range discovered {
		twin := slices.IndexFunc(servers, func(s launch.Server) bool { return s.Key == d.Key })
		switch {
		case twin < 0:
		case launch.SameLaunch(servers[twin], d):
			continue
		default:
			d.Key = d.Location.File + "#" + d.Key
		}
		servers = append(servers, d)
	}
	return servers, bad
}
