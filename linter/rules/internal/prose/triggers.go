package prose

import (
	"strings"
	"sync"
)

// triggerWords says which words make which matchers read a text: parts of
// words, lower-case and folded. A sentence that a matcher knows has at least
// one of its topic. A bar separates them, because blanks count.
var triggerWords = map[topics]string{
	drop: "ignor|disregard|forget|overrid|overrul|bypass|supersed|no attention|not follow|stop follow|no longer follow|discard|set aside|" +
		"new instruct|new task|real task|true task|from now on|your new |actual task|neglect|not obey|abandon",
	conceal: "tell |telling|inform the|inform user|inform them|informing|mention|reveal|disclos|notify|notifying|alert|secret|hidden|hide |" +
		"hiding|conceal|confidential|between us|between you and|yourself|silent|quiet|discreet|covert|knowing|knowledge|aware|notic|bring |" +
		"surfac|nothing|not know|to know|should know|must see|not see|find out|out of your|out of the|omit|invisibl|unmentioned|acknowledg|discuss|withhold|pretend|" +
		"not show|n't show|never show|not display|not report|never report|not say|n't say|never say|not expose|not share|be told|saying|learn ",
	role: "[inst]|<|im_start|<|im_end|>|<|system|>|<|assistant|>|you are now|system:|assistant:|developer mode|jailbr|dan mode|unrestricted|" +
		"system :|assistant :|[system]|[assistant]|act as",
	leak: "your instruct|system prompt|hidden prompt|your prompt|initial prompt|initial instruct|original instruct|your system",
	otherTool: "other tool|other server|other mcp|every tool|each tool|all tool|any tool|precedence|supersed|replac|overrid|whenever|" +
		" first|before |after | when |when |each time|every time|other provider|servers' tool|other extension| tool |bcc|blind copy|hidden copy|blind-copy|carbon copy|deprecated|instead of",
	transfer: "conversation|chat history|chat log|transcript|system prompt|env var|environment var|credential|password|private key|api key|secret|" +
		"http|@|webhook|exfil|passphrase|access token|cookie|prior messages|previous messages|context window|user's messages|dialog",
	secret: ".ssh|id_rsa|id_ed25519|id_ecdsa|.aws|gcloud|.kube|.docker|passwd|shadow|mcp.json|claude_desktop_config|cursor.json|.env|" +
		"secret_access_key|github_token|openai_api_key|anthropic_api_key|.netrc|.npmrc|.pypirc|.git-credentials|.pgpass|keychain|.gnupg|" +
		"wallet.dat|cookies.sqlite|login data|shell history|bash_history|zsh_history|.vault-token|terraform.tfstate|private key",
	markup: "<!--|<important|<system|<instruction|<secret|<hidden|<admin|<override|< ",
	split:  "&#|\\u00|\\x",
	// ignore, instruct, previous, do not tell, system, user
	mirrored: "erongi|tcurtsni|suoiverp|llet ton od|dragersid|tegrof",
	rotated:  "vtaber|vafgehpg|cerivbhf|qb abg gryy|qvfertneq|sbetrg nyy",
	leet:     "1gn0r|ign0r|1gnor|!gnor|d1sreg|disr3g|f0rget|f0rg3t|pr3v|previ0us|prev1ous|1nstruct|instruct1on|instructi0n|inst2uct|instruct10n|t3ll|us3r",
}

// triggers is the automaton over all of them.
var triggers = sync.OnceValue(func() *automaton {
	literals := map[string]topics{}
	add := func(words string, about topics) {
		for word := range strings.SplitSeq(words, "|") {
			if word != "" {
				literals[word] |= about
			}
		}
	}
	for about, words := range triggerWords {
		if about == role {
			// Template tokens have bars in them.
			for _, token := range templateTokens {
				literals[token] |= about
			}
		}
		add(words, about)
	}
	for _, l := range languages {
		for _, p := range l.phrases {
			add(lowerASCII(fold(p.has[0])), foreign)
		}
	}
	return newAutomaton(literals)
})
