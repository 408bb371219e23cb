package rules

// actions are the verbs that tools' names begin with. Those that mean the same
// to a model have one class. What a verb does to the world is another matter:
// [verbs].
var actions = func() map[string]int {
	verbs := map[string]int{}
	for class, words := range [...][]string{
		{"get", "fetch", "retrieve", "read", "show", "view", "describe", "load", "inspect"},
		{"list", "enumerate"},
		{"search", "find", "query", "lookup"},
		{"create", "add", "new", "make", "insert", "register", "generate"},
		{"update", "edit", "modify", "change", "set", "patch", "put", "replace", "adjust"},
		{"delete", "remove", "destroy", "drop", "erase", "purge"},
		{"run", "execute", "invoke", "call", "exec"},
		{"check", "validate", "verify", "test"},
		{"start", "begin", "launch"},
		{"stop", "end", "halt", "abort", "cancel", "terminate", "kill"},
		{"write", "save", "store", "append"},
		{"send", "post", "publish", "submit", "notify", "reply"},
		{"open", "connect", "join"},
		{"close", "disconnect", "leave"},
		{"enable", "activate", "unlock", "unarchive", "restore", "undo", "reopen"},
		{"disable", "deactivate", "lock", "archive"},
		{"upload", "import", "push"},
		{"download", "export", "pull"},
		{"copy", "duplicate", "clone", "fork"},
		{"move", "rename", "transfer"},
		{"merge", "combine"}, {"split"}, {"count"}, {"compare", "diff"}, {"convert", "format", "parse"}, {"build", "compile"},
		{"deploy", "install", "setup"}, {"uninstall"}, {"reinstall"}, {"analyze", "analyse", "calculate", "compute", "evaluate"},
		{"approve", "accept", "confirm"}, {"reject", "decline", "deny"}, {"assign", "attach", "link", "bind"},
		{"unassign", "detach", "unlink", "unbind"}, {"subscribe", "watch", "follow"}, {"unsubscribe", "unwatch"},
		{"pause", "suspend"}, {"resume", "continue"}, {"restart", "reset", "refresh", "reload", "retry"}, {"clear", "wipe", "empty"},
		{"click", "tap", "press"}, {"type"}, {"scroll", "swipe"}, {"wait"}, {"navigate", "visit"}, {"select", "pick", "choose"},
		{"ask"}, {"explain", "summarize", "summarise"}, {"extract", "crawl", "scrape"}, {"render", "draw", "paint"}, {"print"},
		{"book", "reserve", "order"}, {"buy"}, {"sell"}, {"pay"}, {"apply"}, {"configure"}, {"init", "initialize"}, {"sync"},
		{"commit"}, {"checkout"}, {"rollback", "revert"}, {"track"}, {"sort"}, {"filter"}, {"encode"}, {"decode"},
		{"encrypt"}, {"decrypt"}, {"sign"}, {"scan"}, {"monitor"}, {"manage"}, {"handle"}, {"use"}, {"tell"}, {"give"},
	} {
		for _, word := range words {
			verbs[word] = class + 1
		}
	}
	return verbs
}()

// action returns the first verb of a name's words, "" when there is none.
func action(words []string) string {
	for i, word := range words {
		if actions[word] != 0 && !(i+1 < len(words) && alsoThing(word) && actions[words[i+1]] != 0) {
			return word
		}
	}
	return ""
}

// alsoThing reports whether a verb names a thing as well: in order_list and
// order_cancel, order is what is listed and cancelled.
func alsoThing(verb string) bool {
	switch verb {
	case "order", "book", "store", "lock", "post", "link", "test", "format", "type", "track", "sign", "watch", "monitor", "scan",
		"filter", "import", "export", "build", "call", "query", "copy", "fork", "commit", "checkout", "archive", "transfer":
		return true
	}
	return false
}
