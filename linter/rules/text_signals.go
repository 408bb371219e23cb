package rules

import (
	"strings"

	"github.com/mcp-lint/mcp-lint/linter"
)

// signals are what single words of a text hint at. One of them proves nothing:
// the capability rules ask for two from different places.
type signals uint32

const (
	runs      signals = 1 << iota // something is executed
	starts                        // something is started, a program or anything else
	shell                         // a shell, or a machine that has one
	command                       // a command
	line                          // a line, of commands where both stand together
	code                          // a programming language, or code as such
	routed                        // a command of the server's own: a sub-command, an action
	sql                           // SQL
	sqlWrites                     // statements that change data
	contacts                      // the network is used
	address                       // an address in it
	host                          // the part of one that names a machine
	http                          // the protocol,
	requests                      // and what is done with it
	processes                     // a picture, page or recording is worked on
	noted                         // an address that is stored, shown or compared
	saves                         // something is stored
	creates                       // something new comes about
	exports                       // and leaves the server as a file
	localFile                     // files and folders
	remote                        // things that live in a service, not on the disk
	source                        // a file that is only read, or its content
	confined                      // what is allowed is limited
	sandboxed                     // code runs apart from the rest
	must                          // something has to be so
	relative                      // a path that stays below a folder,
	absolute                      // or need not
)

// signalWords has the words, in all the forms that matter.
var signalWords = func() map[string]signals {
	table := map[string]signals{}
	for s, words := range map[signals]string{
		runs: "run runs running ran execute executes executed executing execution exec eval evaluate evaluates " +
			"evaluated evaluating invoke invokes invoked spawn spawns spawned",
		starts: "start starts started launch launches launched",
		shell: "shell bash zsh powershell pwsh cmd terminal subprocess console ssh tty cli cron crontab pod " +
			"container host vm commandline adb",
		command: "command commands cmd script shell",
		line:    "line lines",
		code: "javascript typescript js python node ruby lua perl php code script scripts snippet snippets " +
			"program programs bytecode wasm applescript vbscript",
		routed:    "subcommand sub action operation tool specified slack websocket",
		sql:       "sql duckdb postgres postgresql mysql sqlite clickhouse mariadb",
		sqlWrites: "insert inserts update updates delete deletes create alter drop truncate ddl dml write writes modify",
		contacts: "fetch fetches fetched fetching crawl crawls crawled crawling scrape scrapes scraped scraping " +
			"download downloads downloaded downloading navigate navigates navigating visit visits browser open opens " +
			"load loads loaded post deliver delivers delivered receives clone clones cloned ping pings connect connects " +
			"connecting connection curl webhook webhooks webpage webpages callback proxy internet import imports " +
			"notify notified grab screenshot screenshots render renders",
		address: "url urls uri uris http https link links website webpage address host hostname " +
			"domain domains",
		host:     "host hosts hostname hostnames domain domains",
		http:     "http https",
		requests: "request requests get post put call calls",
		processes: "analyze analyzes analyse analyses transcribe transcribes transcription convert converts extract extracts " +
			"resize resizes summarize summarizes summarise summarises parse parses compress compresses translate " +
			"translates describe describes ocr read reads process processes",
		noted: "stamp metadata origin associated avatar icon logo redirect redirects " +
			"homepage reference references hyperlink identifies identify filter filters match matches matching " +
			"tracking customer customers feedback completed bookmark cover remove removes database topic",
		saves: "save saves saved saving write writes written writing output outputs store stores stored export " +
			"exports exported destination download downloaded dump dumps",
		exports:   "export exports dump dumps",
		creates:   "create creates created generate generates generated",
		localFile: "file files filename filenames folder folders directory directories dir disk filesystem local path paths",
		remote: "repository repositories repo repos project branch commit bucket wiki vault gitlab github namespace " +
			"endpoint api json spec specification worker cell stash rev iteration route edge jsonpath staging stage symbol drive dropbox onedrive " +
			"sharepoint s3 gcs blob mailbox mail email inbox bookmark bookmarks",
		source: "upload uploads uploaded attach attached import imported open load loaded input source " +
			"template existing installed content contents base64 encoded parse parsing validate analyze convert reading " +
			"contains containing filter",
		confined: "allowed allowlist allowlisted whitelist whitelisted restricted confined sandbox sandboxed inside " +
			"within limited private internal loopback localhost refused rejected blocked permitted",
		sandboxed: "sandbox sandboxed isolated",
		must:      "must",
		relative:  "relative",
		absolute:  "absolute",
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
	return s&confined != 0 || s&relative != 0 && s&absolute == 0
}

// limitsHosts reports whether a sentence says which addresses are allowed.
func (s signals) limitsHosts() bool {
	return s&address != 0 && s&confined != 0 || s.has(must|host)
}

// connects reports whether a text says that the network is used.
func (s signals) connects() bool { return s&contacts != 0 || s.has(http|requests) }

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
		t.runsCode = t.runsCode || s.has(runs|code)
		t.limitsHosts = t.limitsHosts || s.limitsHosts()
		t.limitsPaths = t.limitsPaths || s.has(confined|localFile)
		return true
	})
	t.onlyReads = t.description&(sql|runs) != 0 && onlyReads(t.tool.Description(), t.description)
	return t
}
