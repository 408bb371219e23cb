package githubtest

import (
	"maps"
	"net/http"
	"slices"
)

func appRoutes() map[string]route {
	return map[string]route{
		"apps/get-authenticated":                     {app: true, handle: getApp},
		"apps/list-installations":                    {app: true, handle: listInstallations},
		"apps/get-installation":                      {app: true, handle: getInstallation},
		"apps/get-repo-installation":                 {app: true, handle: getRepoInstallation},
		"apps/create-installation-access-token":      {app: true, handle: createToken},
		"apps/list-repos-accessible-to-installation": {needs: []string{"metadata:read"}, handle: listInstallationRepos},
		"rate-limit/get":                             {handle: getRateLimit},
	}
}

func getApp(c *call) reply {
	app := c.s.appObject(AppID, c.s.AppSlug())
	app["installations_count"] = len(c.s.installations)
	return ok(app)
}

func (s *Server) installationObject(i *installation) obj {
	account := s.userObject(s.user(i.owner))
	// The description of the list says that an account is a user *and* an
	// enterprise, so it needs the keys of both.
	for key, value := range (obj{"name": i.owner, "slug": i.owner, "created_at": stamp(i.created), "updated_at": stamp(i.created)}) {
		account[key] = value
	}
	return obj{
		"id": i.id, "account": account, "repository_selection": "selected",
		"access_tokens_url": s.APIURL + "app/installations/access_tokens", "repositories_url": s.APIURL + "installation/repositories",
		"html_url": s.WebURL + "/settings/installations", "app_id": AppID, "app_slug": s.AppSlug(), "target_id": s.user(i.owner).id,
		"target_type": "User", "permissions": i.permissions, "events": s.opts.Events, "created_at": stamp(i.created), "updated_at": stamp(i.created),
		"single_file_name": nil, "has_multiple_single_files": false, "single_file_paths": []any{}, "suspended_by": nil, "suspended_at": nil,
	}
}

// sortedInstallations lists them oldest first.
func (s *Server) sortedInstallations() []*installation {
	return slices.SortedFunc(maps.Values(s.installations), func(a, b *installation) int { return int(a.id - b.id) })
}

func (s *Server) installationByID(id int64) *installation {
	for _, i := range s.installations {
		if i.id == id {
			return i
		}
	}
	return nil
}

func listInstallations(c *call) reply {
	return listed(c, c.s.sortedInstallations(), c.s.installationObject)
}

func getInstallation(c *call) reply {
	i := c.s.installationByID(c.id("installation_id"))
	if i == nil {
		return notFound()
	}
	return ok(c.s.installationObject(i))
}

func getRepoInstallation(c *call) reply {
	if !c.repo.installed {
		return notFound()
	}
	return ok(c.s.installationObject(c.repo.inst))
}

// createToken mints a token that is never wider than the installation. A
// permission that the installation lacks fails the whole request with 422
// (https://github.com/promptfoo/promptfoo/pull/8802).
func createToken(c *call) reply {
	inst := c.s.installationByID(c.id("installation_id"))
	if inst == nil {
		return notFound()
	}
	if inst.suspended {
		return refuse(http.StatusForbidden, "This installation has been suspended")
	}
	var ask struct {
		Repositories  []string          `json:"repositories"`
		RepositoryIDs []int64           `json:"repository_ids"`
		Permissions   map[string]string `json:"permissions"`
	}
	if err := c.decode(&ask); err != nil {
		return invalid("%v", err)
	}
	if n := len(ask.Repositories) + len(ask.RepositoryIDs); n > MaxTokenRepositories {
		return invalid("No more than %d repositories are allowed; %d were supplied.", MaxTokenRepositories, n)
	}
	permissions := maps.Clone(inst.permissions)
	if len(ask.Permissions) > 0 {
		permissions = map[string]string{"metadata": "read"}
		for name, level := range ask.Permissions {
			if rank(level) < 1 || !grants(inst.permissions, name+":"+level) {
				return refuse(http.StatusUnprocessableEntity, "The permissions requested are not granted to this installation.")
			}
			permissions[name] = level
		}
	}
	repos, found := inst.choose(ask.Repositories, ask.RepositoryIDs)
	if !found {
		return refuse(http.StatusUnprocessableEntity, "There is at least one repository that does not exist or is not accessible to the parent installation.")
	}
	t := c.s.mint(inst, repos, permissions)
	answer := obj{"token": t.value, "expires_at": stamp(t.expires), "permissions": t.permissions, "repository_selection": "selected"}
	if repos != nil {
		list := []obj{}
		for _, r := range inst.repos {
			if repos[r.ID] {
				list = append(list, c.s.repositoryObject(r))
			}
		}
		answer["repositories"] = list
	}
	return reply{status: http.StatusCreated, body: answer}
}

// choose returns the ids of the named repositories, nil when none are named, and
// false when one of them is not in the installation.
func (i *installation) choose(names []string, ids []int64) (map[int64]bool, bool) {
	if len(names)+len(ids) == 0 {
		return nil, true
	}
	chosen := map[int64]bool{}
	for _, r := range i.repos {
		if slices.Contains(names, r.Name) || slices.Contains(ids, r.ID) {
			chosen[r.ID] = true
		}
	}
	known := func(match func(*Repository) bool) bool { return slices.ContainsFunc(i.repos, match) }
	for _, name := range names {
		if !known(func(r *Repository) bool { return r.Name == name }) {
			return nil, false
		}
	}
	for _, id := range ids {
		if !known(func(r *Repository) bool { return r.ID == id }) {
			return nil, false
		}
	}
	return chosen, true
}

func listInstallationRepos(c *call) reply {
	var visible []*Repository
	for _, r := range c.token.inst.repos {
		if c.token.covers(r) {
			visible = append(visible, r)
		}
	}
	return counted(c, "repositories", visible, c.s.repositoryObject)
}
