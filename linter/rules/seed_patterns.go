package rules

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/mcp-lint/mcp-lint/linter"
	"github.com/mcp-lint/mcp-lint/linter/snapshot"
)

// The patterns of the second seed's program (snapshot-lint, section 3), which
// preset snapshot has exactly as they are, gaps included.

// seedBlanks is ECMAScript's \s, of which Go's has five.
const seedBlanks = `[\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]`

// seedPattern is one pattern: a regular expression over the text with its ASCII
// letters in lower case, or as it is where exact.
type seedPattern struct {
	says   string
	needs  []string // one of these is in every match
	exact  bool
	source finder
}

// finder returns where a pattern is in a text, nil when it is not.
type finder interface{ FindStringIndex(text string) []int }

// finderFunc finds without a regular expression.
type finderFunc func(text string) []int

// FindStringIndex calls f.
func (f finderFunc) FindStringIndex(text string) []int { return f(text) }

func seedRegexp(source string) *regexp.Regexp {
	source = strings.ReplaceAll(source, "_", seedBlanks+"+")
	return regexp.MustCompile(strings.ReplaceAll(source, "~", seedBlanks+"*"))
}

func (s *seedPattern) find(text, lower string) string {
	if s.exact {
		lower = text
	}
	for _, need := range s.needs {
		if strings.Contains(lower, need) {
			if at := s.source.FindStringIndex(lower); at != nil {
				return text[at[0]:at[1]]
			}
			return ""
		}
	}
	return ""
}

// first returns the first pattern that a text has, and the part that has it.
func first(patterns []seedPattern, text string) (*seedPattern, string) {
	lower := lowerASCII(text)
	for i := range patterns {
		if found := patterns[i].find(text, lower); found != "" {
			return &patterns[i], found
		}
	}
	return nil, ""
}

var seedPhrases = []seedPattern{
	{"tells the model to drop earlier instructions", []string{"ignore", "disregard", "forget", "override"}, false, seedRegexp(
		`\b(?:ignore|disregard|forget|override)_(?:(?:all|any)_)?(?:of_)?(?:(?:the|your)_)?` +
			`(?:previous|prior|above|earlier|preceding|original|system)_(?:instructions?|prompts?|messages?|rules|context|directions)`)},
	{"tells the model to hide something from the user", []string{"user"}, false, seedRegexp(
		`\b(?:do_not|don't|dont|never)_(?:tell|inform|mention|reveal|disclose|show|notify|alert)_(?:this_)?(?:to_)?the_user`)},
	{"tells the model to act unknown to the user", []string{"without"}, false, seedRegexp(
		`\bwithout_(?:telling|informing|notifying|alerting|asking)_the_user`)},
	{"says that the user must not know", []string{"user"}, false, seedRegexp(
		`\b(?:the_)?user_(?:must|should)_not_(?:know|see|be_told)`)},
	{"changes the role of the model", []string{"you"}, false, seedRegexp(`\byou_are_now\b`)},
	{"asks the model for its instructions", []string{"reveal", "print", "output", "repeat", "leak"}, false, seedRegexp(
		`\b(?:reveal|print|output|repeat|leak)_(?:your|the)_(?:system_prompt|instructions|hidden_prompt)`)},
	{"plays a role of the chat", []string{"system", "assistant"}, false, seedRegexp(
		`(?:^|[\n\r\x{2028}\x{2029}])~(?:system|assistant)~:`)},
	{"has tokens of a chat template", []string{"INST]", "<|"}, true, regexp.MustCompile(
		`\[INST\]|\[/INST\]|<\|im_start\|>|<\|im_end\|>|<\|system\|>|<\|assistant\|>`)},
}

var seedMarkups = []seedPattern{
	{"an HTML comment", []string{"<!--"}, false, finderFunc(findComment)},
	{"a tag that speaks with authority", []string{"<"}, false, finderFunc(findTag)},
}

// findComment is <!--[\s\S]*?-->.
func findComment(text string) []int {
	from := strings.Index(text, "<!--")
	if from < 0 {
		return nil
	}
	length := strings.Index(text[from+4:], "-->")
	if length < 0 {
		return nil
	}
	return []int{from, from + 4 + length + 3}
}

var seedTagHead = seedRegexp(`^<~/?~(?:important|system|instruction|instructions|secret|hidden|admin|override)\b`)

// longestTagHead bounds what the head of a tag is looked for in.
const longestTagHead = 256

// findTag finds a tag of one of eight names. Where no tag is closed any more,
// it gives up at once.
func findTag(text string) []int {
	for from := 0; ; from++ {
		next := strings.IndexByte(text[from:], '<')
		if next < 0 {
			return nil
		}
		from += next
		head := seedTagHead.FindStringIndex(text[from:min(len(text), from+longestTagHead)])
		if head == nil {
			continue
		}
		length := strings.IndexByte(text[from+head[1]:], '>')
		if length < 0 {
			return nil
		}
		return []int{from, from + head[1] + length + 1}
	}
}

var seedSecrets = []seedPattern{
	{"", []string{".ssh", "id_"}, true, regexp.MustCompile(`~/\.ssh\b|\bid_rsa\b|\bid_ed25519\b|\bid_ecdsa\b`)},
	{"", []string{".aws/", ".config/", ".kube/", ".docker/"}, true, regexp.MustCompile(`\.aws/credentials|\.config/gcloud|\.kube/config|\.docker/config\.json`)},
	{"", []string{"/etc/"}, true, regexp.MustCompile(`/etc/passwd\b|/etc/shadow\b`)},
	{"", []string{".json"}, false, regexp.MustCompile(`\bmcp\.json\b|\bclaude_desktop_config\.json\b|\bcursor\.json\b`)},
	{"", []string{".env"}, true, regexp.MustCompile("(?:^|" + seedBlanks + "|[/\"'`(])\\.env\\b")},
	{"", []string{"AWS_", "GITHUB_", "_API_KEY"}, true, regexp.MustCompile(
		`\bAWS_SECRET_ACCESS_KEY\b|\bGITHUB_TOKEN\b|\bOPENAI_API_KEY\b|\bANTHROPIC_API_KEY\b`)},
}

// sensitive returns the first name of a credential file or variable in a text.
func sensitive(text string) string {
	_, found := first(seedSecrets, text)
	return found
}

func seedPhrase(text string) (says string, ok bool) {
	pattern, found := first(seedPhrases, text)
	if pattern == nil {
		return "", false
	}
	return fmt.Sprintf(`%s: "%s"`, pattern.says, excerpt(found)), true
}

func seedMarkup(text string) (says string, ok bool) {
	pattern, found := first(seedMarkups, text)
	if pattern == nil {
		return "", false
	}
	return fmt.Sprintf(`has %s: "%s"`, pattern.says, excerpt(found)), true
}

func seedSecret(text string) (says string, ok bool) {
	found := sensitive(text)
	return fmt.Sprintf("names a place of credentials: %s", quote(found)), found != ""
}

// reportSeed reports each text that the seed's patterns have something to say
// about.
func reportSeed(p *linter.Pass, e *linter.Entity, judge func(text string) (says string, ok bool)) {
	texts := e.Texts()
	for i := range texts {
		if says, ok := judge(texts[i].Value); ok {
			pointer := texts[i].Pointer()
			p.Report(e, pointer, linter.Finding{
				Message: fieldLabel(pointer) + " " + says,
				Fix:     "Say what the tool does; leave out orders to the model, what is not shown, and where secrets are kept.",
				Subject: says,
			})
		}
	}
}

// fieldLabel names a text for people.
func fieldLabel(pointer string) string {
	tokens := strings.Split(pointer, "/")
	label := "the " + tokens[len(tokens)-1]
	if len(tokens) > 2 {
		owner := strings.ReplaceAll(strings.ReplaceAll(tokens[len(tokens)-2], "~1", "/"), "~0", "~")
		label += " of " + quote(owner)
	}
	return label
}

// excerptLimit is the longest excerpt, in UTF-16 code units.
const excerptLimit = 60

var seedBlankRun = regexp.MustCompile(seedBlanks + "+")

// excerpt shortens a match as the second seed does.
func excerpt(text string) string {
	text = linter.Trim(seedBlankRun.ReplaceAllString(text, " "))
	if linter.Length(text) > excerptLimit {
		units, cut := 0, 0
		for cut < len(text) {
			_, size := utf8.DecodeRuneInString(text[cut:])
			if units += linter.Length(text[cut : cut+size]); units > excerptLimit-3 {
				break
			}
			cut += size
		}
		text = text[:cut] + "..."
	}
	return snapshot.Visible(text)
}
