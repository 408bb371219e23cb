package prose

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// secretFiles are parts of paths at which credentials are kept. Those that are
// names of their own must stand as a word.
var secretFiles = [...]string{
	"/.ssh", "id_rsa", "id_ed25519", "id_ecdsa", ".aws/credentials", ".config/gcloud", ".kube/config", ".docker/config.json",
	"/etc/passwd", "/etc/shadow", "mcp.json", "claude_desktop_config.json", "cursor.json", ".netrc", ".npmrc", ".pypirc",
	".git-credentials", ".pgpass", ".gnupg", ".vault-token", "terraform.tfstate", ".bash_history", ".zsh_history", "wallet.dat",
	"aws_secret_access_key", "github_token", "openai_api_key", "anthropic_api_key", "\\.ssh", "cookies.sqlite",
}

// isSecretFile reports whether a word names a file or variable of credentials.
func isSecretFile(text string) bool {
	for _, file := range secretFiles {
		if strings.Contains(text, file) {
			return true
		}
	}
	return text == ".env" || strings.HasSuffix(text, "/.env") || strings.HasPrefix(text, ".env.") && text != ".env.example"
}

// sensitiveFile finds such a word that is no example, or the private key of a
// person.
func (s *sentence) sensitiveFile(i, j int) int {
	for k := max(0, i); k < min(j, len(s.words)); k++ {
		if !s.words[k].example && len(s.words[k].text) >= 4 && isSecretFile(s.words[k].text) {
			return k
		}
		if s.at(k) == "key" && (s.at(k-1) == "private" || s.at(k-1) == "ssh") && s.any(k-4, k, person) {
			return k
		}
	}
	return -1
}

// matchSecret: an order to read or to hand out a file of credentials. That a
// text names one is nothing: it may be refused, or be meant for people.
func matchSecret(s *sentence) (Match, bool) {
	file := s.sensitiveFile(0, len(s.words))
	if file < 0 || s.any(0, file, guard) {
		return Match{}, false
	}
	for i := max(0, file-8); i < file; i++ {
		w := &s.words[i]
		if w.example || !w.is(readVerb|sendVerb) || !s.isOrder(i) || s.negated(i) || !s.isObject(i, file) {
			continue
		}
		rest := len(s.words)
		content := s.contains(i, file, "content") || s.contains(i, file, "contents") || s.usesContent(file)
		sends := w.is(sendVerb) && (content || s.any(file, rest, destination)) ||
			s.ordersAfter(file, sendVerb) || s.usesContent(file) || s.addresses(file, rest)
		forced := i > 0 && (s.words[i-1].is(orderWord) || s.at(i-1) == "you") || s.any(file, file+4, firstWord) ||
			s.contains(file, rest, "this") && s.any(0, rest, firstWord) || s.any(0, i, firstWord) && s.any(0, i, calling|callVerb)
		level := severity.Off
		switch {
		case sends && (forced || content || s.any(file, rest, destination) || s.addresses(file, rest) || s.contains(file, rest, "it")):
			level = severity.Error
			if !forced && w.is(sendVerb) && !s.addresses(file, rest) && !s.ordersAfter(file, sendVerb) {
				level = severity.Warning
			}
		case forced:
			level = severity.Warning
		}
		if level != severity.Off {
			return Match{Intent: ReadSecret, Level: level, Excerpt: s.excerpt(i-3, file+10)}, true
		}
	}
	if s.contentDemanded() {
		return Match{Intent: ReadSecret, Level: severity.Warning, Excerpt: s.excerpt(file-6, file+6)}, true
	}
	return Match{}, false
}

// usesContent: "… and use its text as the note".
func (s *sentence) usesContent(file int) bool {
	for k := file + 1; k+2 < len(s.words); k++ {
		if s.at(k) == "use" && s.isOrder(k) && !s.negated(k) && (s.at(k+1) == "its" || s.at(k+1) == "the") {
			switch s.at(k + 2) {
			case "content", "contents", "text":
				return true
			}
		}
	}
	return false
}

// longestFollowing bounds, in bytes, what is read behind a sentence, and
// mostFollowing what is read so of a whole text.
const (
	longestFollowing = 240
	mostFollowing    = 32 << 10
)

// contentDemanded reports whether the sentence after one that names a file asks
// for its content: "Its contents belong in the parameter note."
func (s *sentence) contentDemanded() bool {
	from := s.words[len(s.words)-1].end
	following := s.text[from:min(len(s.text), from+longestFollowing)]
	if s.followingLeft < len(following) || !strings.Contains(following, "ontent") {
		return false
	}
	s.followingLeft -= len(following)
	found := false
	newReader(following, s.know).sentences(0, len(following), func(next *sentence) (more bool) {
		for k := range next.words {
			if t := next.at(k); t != "content" && t != "contents" || next.words[k].example {
				continue
			}
			switch next.at(k - 1) {
			case "its", "their", "file's", "whose":
				found = next.any(k+1, k+8, destination) && next.class&(negation|guard) == 0
			}
		}
		return false
	})
	return found
}

// isObject reports whether the file is what the verb takes, rather than where
// something of the reader's is kept: "put your key in .env", "set it from .env".
func (s *sentence) isObject(verb, file int) bool {
	switch s.at(verb) {
	case "look", "find", "check": // into it
		return true
	}
	switch s.at(file - 1) {
	case "in", "into", "to":
		return false
	case "your", "the", "a", "this", "user's":
		switch s.at(file - 2) {
		case "in", "into", "to":
			return false
		}
	}
	switch s.at(verb + 1) {
	case "your", "variables", "settings", "configuration", "up":
		return false
	}
	return true
}

// ordersAfter: another order follows, "… and send it".
func (s *sentence) ordersAfter(i int, c class) bool {
	for k := i + 1; k < min(i+12, len(s.words)); k++ {
		if s.words[k].is(c) && !s.words[k].example && s.isOrder(k) && !s.negated(k) {
			return true
		}
	}
	return false
}

// matchTransfer: an order to hand on the conversation, the prompt or
// credentials.
func matchTransfer(s *sentence) (Match, bool) {
	if s.class&(sendVerb|callVerb) == 0 || s.class&(modelData|credential) == 0 || s.describes() {
		return Match{}, false
	}
	for i := range s.words {
		w := &s.words[i]
		if w.example || !w.is(sendVerb) && w.text != "call" || !s.isOrder(i) || s.negated(i) {
			continue
		}
		end := min(i+16, len(s.words))
		data := s.find(i+1, min(i+9, len(s.words)), modelData|credential)
		if next := s.at(i + 1); next == "it" || next == "them" || next == "everything" {
			// "collect … and send it to …"
			data = s.find(i-10, i, modelData|credential)
			if data >= 0 && s.addresses(i, end) && (s.isConversation(data) || s.words[data].is(credential) && s.any(data-3, data, whole|anyWord|person)) {
				return Match{Intent: SendData, Level: severity.Error, Excerpt: s.excerpt(data-4, i+6)}, true
			}
			continue
		}
		if data < 0 || s.any(i+1, data, whenWord) {
			continue
		}
		address := s.addresses(data, end)
		all := s.any(i+1, data, whole|anyWord)
		always := i == 0 && (s.contains(data, end, "every") || s.contains(data, end, "each")) || i > 0 && (s.words[i-1].is(orderWord) || s.words[i-1].pause) || s.any(0, i, orderWord) || s.contains(end-6, end, "every")
		level := severity.Off
		switch {
		case s.words[data].is(credential) && s.at(data) != "key" && s.at(data) != "keys" && s.at(data) != "token":
			if address && (all || always) && s.any(i+1, data+1, whole|anyWord|person) || all && always && s.any(data, end, destination) && s.contains(data, data+3, "variables") {
				level = severity.Error
			} else if always && s.any(data-3, data, person) && s.any(data, end, destination) && (s.contains(data, end, "every") || s.contains(data, end, "each")) {
				level = severity.Warning
			}
		case s.words[data].is(modelData) && s.isConversation(data):
			switch {
			case address && (all || always):
				level = severity.Error
			case always && s.contains(data, end, "every") && s.any(data, end, destination|toolNoun|meta), w.text == "call" && all && s.any(0, i, anyWord):
				level = severity.Warning
			case w.text == "call":
			case all && always && s.any(data, end, destination|toolNoun):
				level = severity.Warning
			case all && i > 0 && always && (s.contains(0, len(s.words), "call") || s.contains(0, len(s.words), "every")):
				level = severity.Warning
			}
		}
		if level != severity.Off {
			return Match{Intent: SendData, Level: level, Excerpt: s.excerpt(i-4, data+8)}, true
		}
	}
	return Match{}, false
}

// isConversation: what was said, not any history or message.
func (s *sentence) isConversation(i int) bool {
	switch s.at(i) {
	case "conversation", "conversations", "transcript", "dialogue", "dialog", "reasoning", "thoughts":
		return true
	case "history", "context", "thread":
		return s.at(i-1) == "chat" || s.at(i-1) == "conversation" || s.at(i-1) == "session"
	case "chat":
		return true
	case "prompt", "prompts":
		return s.at(i-1) == "system" || s.at(i-1) == "user" || s.at(i-1) == "user's"
	case "messages":
		return s.any(i-3, i, prior|person)
	}
	return false
}
