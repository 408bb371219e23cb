package rules

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
)

// signals are what single words of a text hint at. One of them proves nothing:
// the capability rules ask for two from different places.
type signals uint32

const (
	signalRuns      signals = 1 << iota // something is executed
	signalStarts                        // something is started, a program or anything else
	signalShell                         // a shell, or a machine that has one
	signalCommand                       // a command
	signalLine                          // a line, of commands where both stand together
	signalCode                          // a programming language, or code as such
	signalRouted                        // a command of the server's own: a sub-command, an action
	signalSQL                           // SQL
	signalSQLWrites                     // statements that change data
	signalContacts                      // the network is used
	signalAddress                       // an address in it
	signalHost                          // the part of one that names a machine
	signalHTTP                          // the protocol,
	signalRequests                      // and what is done with it
	signalProcesses                     // a picture, page or recording is worked on
	signalNoted                         // an address that is stored, shown or compared
	signalSaves                         // something is stored
	signalCreates                       // something new comes about
	signalExports                       // and leaves the server as a file
	signalFile                          // files and folders
	signalRemote                        // things that live in a service, not on the disk
	signalSource                        // a file that is only read, or its content
	signalConfined                      // what is allowed is limited
	signalSandboxed                     // code runs apart from the rest
	signalPage                          // a page in a browser
	signalMust                          // something has to be so
	signalRelative                      // a path that stays below a folder,
	signalAbsolute                      // or need not
)

// signalWords has the words, in all the forms that matter.
var signalWords = func() map[string]signals {
	table := map[string]signals{}
	for s, words := range map[signals]string{
		signalRuns: "run runs running ran execute executes executed executing execution exec eval evaluate evaluates " +
			"evaluated evaluating invoke invokes invoked spawn spawns spawned",
		signalStarts: "start starts started launch launches launched",
		signalShell: "shell bash zsh powershell pwsh cmd terminal subprocess console ssh tty cli cron crontab pod " +
			"container host vm commandline adb",
		signalCommand: "command commands cmd script shell",
		signalLine:    "line lines",
		signalCode: "javascript typescript js python node ruby lua perl php code script scripts snippet snippets " +
			"program programs bytecode wasm applescript vbscript",
		signalRouted:    "subcommand sub action operation tool specified slack websocket",
		signalSQL:       "sql duckdb postgres postgresql mysql sqlite clickhouse mariadb",
		signalSQLWrites: "insert inserts update updates delete deletes create alter drop truncate ddl dml write writes modify",
		signalContacts: "fetch fetches fetched fetching crawl crawls crawled crawling scrape scrapes scraped scraping " +
			"download downloads downloaded downloading navigate navigates navigating visit visits browser open opens " +
			"load loads loaded post deliver delivers delivered receives clone clones cloned ping pings connect connects " +
			"connecting connection curl webhook webhooks webpage webpages callback proxy internet import imports " +
			"notify notified grab screenshot screenshots render renders",
		signalAddress: "url urls uri uris http https link links website webpage address host hostname " +
			"domain domains",
		signalHost:     "host hosts hostname hostnames domain domains",
		signalHTTP:     "http https",
		signalRequests: "request requests get post put call calls",
		signalProcesses: "analyze analyzes analyse analyses transcribe transcribes transcription convert converts extract extracts " +
			"resize resizes summarize summarizes summarise summarises parse parses compress compresses translate " +
			"translates describe describes ocr read reads process processes",
		signalNoted: "stamp metadata origin associated avatar icon logo redirect redirects " +
			"homepage reference references hyperlink identifies identify filter filters match matches matching " +
			"tracking customer customers feedback completed bookmark cover remove removes database topic",
		signalSaves: "save saves saved saving write writes written writing output outputs store stores stored export " +
			"exports exported destination download downloaded dump dumps",
		signalExports: "export exports dump dumps",
		signalCreates: "create creates created generate generates generated",
		signalFile:    "file files filename filenames folder folders directory directories dir disk filesystem local path paths",
		signalRemote: "repository repositories repo repos project branch commit bucket wiki vault gitlab github namespace " +
			"endpoint api spec specification worker cell stash rev iteration route edge jsonpath staging stage symbol drive dropbox onedrive " +
			"sharepoint s3 gcs blob mailbox mail email inbox bookmark bookmarks",
		signalSource: "upload uploads uploaded attach attached import imported open load loaded input source " +
			"template existing installed content contents base64 encoded parse parsing validate analyze convert reading " +
			"contains containing filter",
		signalConfined: "allowed allowlist allowlisted whitelist whitelisted restricted confined sandbox sandboxed inside " +
			"within limited private internal loopback localhost refused rejected blocked permitted",
		signalSandboxed: "sandbox sandboxed isolated",
		signalPage:      "page pages webpage webpages document documents dom tab tabs frame",
		signalMust:      "must",
		signalRelative:  "relative",
		signalAbsolute:  "absolute",
	} {
		for word := range strings.FieldsSeq(words) {
			table[word] |= s
		}
	}
	return table
}()

// has reports whether all of some signals are there.
func (s signals) has(all signals) bool { return s&all == all }

// limitsPaths reports whether a text says where paths have to stay.
func (s signals) limitsPaths() bool {
	return s&signalConfined != 0 || s&signalRelative != 0 && s&signalAbsolute == 0
}

// limitsHosts reports whether a sentence says which addresses are allowed.
func (s signals) limitsHosts() bool {
	return s&signalAddress != 0 && s&signalConfined != 0 || s.has(signalMust|signalHost)
}

// connects reports whether a text says that the network is used.
func (s signals) connects() bool { return s&signalContacts != 0 || s.has(signalHTTP|signalRequests) }

// longestSignalText bounds, in bytes, how much of a text is read for signals:
// what a definition is about stands at its beginning.
const longestSignalText = 4 << 10

// longestSignalWord is longer than any word of the table.
const longestSignalWord = 16

// readSignals returns the signals of a text's words.
func readSignals(text string) signals {
	var all signals
	eachSentence(text, func(s signals) bool {
		all |= s
		return true
	})
	return all
}

// eachSentence calls use with the signals of each sentence, until it returns
// false. A sentence ends with a stop before white space, or with a line's end
// that is followed by another.
func eachSentence(text string, use func(signals) bool) {
	text = text[:min(len(text), longestSignalText)]
	var word [longestSignalWord]byte
	var found signals
	n := 0
	for i := 0; i <= len(text); i++ {
		c := byte('\n')
		if i < len(text) {
			c = text[i]
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		// line_code is an identifier, not code.
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' {
			if n < len(word) {
				word[n] = c
			}
			n++
			continue
		}
		if n > 0 && n < len(word) {
			found |= signalWords[string(word[:n])]
		}
		n = 0
		if i >= len(text) || endsSentence(text, i) {
			if !use(found) {
				return
			}
			found = 0
		}
	}
}

func endsSentence(text string, i int) bool {
	next := byte('\n')
	if i+1 < len(text) {
		next = text[i+1]
	}
	switch text[i] {
	case '.', '!', '?', ';':
		return next == ' ' || next == '\n'
	case '\n':
		return next == '\n' || next == '-' || next == '*'
	}
	return false
}

// oneSentence reports whether a sentence of a text is as is says.
func oneSentence(text string, is func(signals) bool) bool {
	found := false
	eachSentence(text, func(s signals) bool {
		found = is(s)
		return !found
	})
	return found
}

// toolSignals are the signals of one tool, read when a parameter asks.
type toolSignals struct {
	tool *linter.Entity
	read bool

	// name has those of the name's words, description those of all sentences,
	// summary those of the first sentence with any.
	name, description, summary signals
	// Whether one sentence speaks of running and of code, says which addresses
	// are allowed, or where paths have to stay.
	runsCode, limitsHosts, limitsPaths bool
	onlyReads                          bool // if it is about SQL
}

func (t *toolSignals) get() *toolSignals {
	if t.read {
		return t
	}
	t.read = true
	for _, word := range t.tool.Words() {
		t.name |= signalWords[word]
	}
	eachSentence(t.tool.Description(), func(s signals) bool {
		if t.summary == 0 {
			t.summary = s
		}
		t.description |= s
		t.runsCode = t.runsCode || s.has(signalRuns|signalCode)
		t.limitsHosts = t.limitsHosts || s.limitsHosts()
		t.limitsPaths = t.limitsPaths || s.has(signalConfined|signalFile)
		return true
	})
	t.onlyReads = t.description&(signalSQL|signalRuns) != 0 && onlyReads(t.tool.Description(), t.description)
	return t
}
