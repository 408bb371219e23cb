package prose

import (
	"maps"
	"strings"
	"sync"
)

// triggerWords says which words make which matchers read a text: parts of
// words, lower-case and folded, separated by bars because blanks count. A
// sentence that a matcher knows has at least one of each topic of a
// combination.
var triggerWords = map[topics]string{
	dropping:     "void|cancel|revoked|suspended|obsolete|invalid|longer |ignor|disregard|forget|overrid|overrul|bypass|supersed|no attention|not follow|stop follow|longer follow|stop obey|discard|not obey|aside|abandon|neglect|new ",
	instructions: "instruct|prompt|rule|guideline|guidance|directi|guardrail|told|everything|context|message|polic|restrict|above|programming|new task|new goal|new objective",

	conceal: "between you and|say nothing|quiet about|silent about|mum about|between us|between ourselves|to yourself|nothing happened",
	told: "let the|let them|let your|let any|tell|inform the|inform user|inform them|informing|inform any|mention|reveal|disclos|notify|alert|bring |surfac|acknowledg|discuss|let on|admit|" +
		"report this|report it|report to|report that|reporting|show this|show it|show these|show anything|showing|display this|display it|explain this|explain it|" +
		"expose this|share this|share it|saying|say this|say that|say anything|say it|announc|speak of|speak about|talk about|communicat|divulg|confess|" +
		"include this|include it|knowing|noticing|knowledge|awareness|seeing|realiz|realis",
	forbidding: "not |n't |nt tell|dont |never|without|avoid|refrain|no need|no reason|nothing|no mention|stop ",
	stealth:    "hide |hidden|conceal|secret|private|withhold|obscure|omit|quiet|silent|discreet|covert|surreptit|confidential|out of your|out of the|keep |leave |pretend|as if|unaware|even if|even though|unmentioned|invisible",
	people:     "user|customer|human|person|people|client|operator|owner|anyone|anybody|somebody|everyone|caller|requester|guest|visitor|patient|buyer|shopper|employee|student|reply|response|answer|summary|conversation|transcript|@| him| her|them",
	knowing:    "finds|know|notic|learn|reali|aware|told|find out|informed|notified|hear|see|suspect",

	role: "you are now|you are an un|you are un|longer bound|longer restricted|are no longer|you are dan|you are in |system:|assistant:|system :|assistant :",
	leak: "your instruct|system prompt|hidden prompt|your prompt|initial prompt|initial instruct|original instruct|your system|your initial|your original|your full|your complete|your hidden",

	timing:    "when|before |before|after |first|each time|every time|while |whenever|if |once |on every|for every|always|then ",
	tooling:   "tool| server|function|plugin",
	firstly:   " first|first,|first |before |after |then |always ",
	usage:     "used|called|invoked|executed|triggered|is run|are run|runs|using |calling |invoking |running |tool call|you call|you use|you run|you invoke|each call|every call",
	greedy:    "secret|credential|password|_keys|token|_env|exfil|dump|delete_all|conversation|transcript|important",
	ordering:  "call |run |use |invoke |execute |trigger ",
	altering:  "add |append|includ|set |chang|replac|swap|bcc|cc |send|forward|copy |copies|put |insert|redirect|pass |route|attach|upload|post |suppl|share |substitut|prepend",
	copying:   "bcc|blind|hidden copy|carbon copy|secret copy|@",
	replacing: "overrid|replac|supersed|precedence|priority|disabl|shadow|deprecat|instead|prefer|over |in place of|not use|not call|never use|never call|avoid|obsolet|insecure|unsafe|compromised|broken|than ",
	others:    "other server|other mcp|other tool|another server|other provider|other extension|other plugin|other integration|other connector|different server|third-party|deprecated|insecure|unsafe|compromised|broken|all other|any other|every other",

	sending: "call |send|post|upload|forward|transmit|mail|submit|exfil|leak|relay|ship|deliver|copy |append|includ|pass |put |embed|attach|paste|insert|write |add |encode|bcc|fill ",
	data:    "conversation|chat|transcript|dialog|system prompt|user prompt|user's prompt|environment|env var|credential|password|secret|passphrase|access token|cookie|messages|reasoning|thoughts|session context|session history|api key",

	secret: ".ssh|id_rsa|id_ed25519|id_ecdsa|.aws|gcloud|.kube|.docker|passwd|shadow|mcp.json|claude_desktop_config|cursor.json|.env|" +
		"secret_access_key|github_token|openai_api_key|anthropic_api_key|.netrc|.npmrc|.pypirc|.git-credentials|.pgpass|.gnupg|" +
		"wallet.dat|cookies.sqlite|bash_history|zsh_history|.vault-token|terraform.tfstate|private key|ssh key",
	markup: "<!--|<system|<secret|<hidden|<admin|<override",
	split:  `&#|\u00|\x`,

	// ignore, instruct, previous, tell not do, disregard, forget, the user
	mirrored: "erongi|tcurtsni|suoiverp|llet ton od|dragersid|tegrof|resu eht",
	rotated:  "vtaber|vafgehpg|cerivbhf|qb abg gryy|qvfertneq|sbetrg nyy|gur hfre",
	leet:     "1gn0r|ign0r|1gnor|!gnor|d1sreg|disr3g|f0rget|f0rg3t|pr3v|previ0us|prev1ous|1nstruct|instruct1on|instructi0n|instruct10n|t3ll|us3r",
}

// asciiTriggers finds all of them that are ASCII, and is smaller by half.
var asciiTriggers = sync.OnceValue(func() *automaton { return compile(isASCII) })

// allTriggers has those of other alphabets as well.
var allTriggers = sync.OnceValue(func() *automaton { return compile(func(string) bool { return true }) })

func compile(keep func(literal string) bool) *automaton {
	literals := map[string]topics{}
	for about, words := range triggerWords {
		for word := range strings.SplitSeq(words, "|") {
			literals[word] |= about
		}
	}
	literals["_"] |= identifier
	for _, token := range templateTokens {
		literals[token] |= role
	}
	for _, p := range foldedPhrases() {
		literals[p.trigger] |= foreign
	}
	maps.DeleteFunc(literals, func(literal string, _ topics) bool { return !keep(literal) })
	return newAutomaton(literals)
}
