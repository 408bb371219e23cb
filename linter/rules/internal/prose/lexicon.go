package prose

import (
	"strings"
	"sync"
)

// class is a set of roles that a word may play in a sentence.
type class uint64

const (
	dropVerb  class = 1 << iota
	prior           // what came before
	rulesNoun       // instructions
	weakNoun        // may be instructions
	negation
	tellVerb    // takes a person
	mentionVerb // needs none
	showVerb    // of things more than of facts
	telling     // any of them with -ing
	person
	pronoun // stands for what has been said
	meta    // a thing of the dialogue: step, tool, parameter
	technical
	truthful // what one must not claim wrongly
	event    // what someone may want to keep quiet
	secretAdj
	hideVerb
	sendVerb
	alterVerb // changes how something is used
	readVerb
	callVerb
	called // used, invoked
	calling
	whenWord
	orderWord // marks an order: must, always, please
	guard     // speaks about attacks
	modelData
	credential
	destination
	toolNoun
	otherWord
	serverNoun
	anyWord
	whole
	replaceVerb
	knowVerb
	reply
	firstWord
	subject // stands for the one who reads: you, assistant
)

// lexicon has the words of each class, in all their forms.
var lexicon = map[class]string{
	dropVerb:    "ignore disregard forget override overrule bypass supersede discard neglect abandon",
	prior:       "previously previous prior earlier preceding above foregoing former existing original initial past old system developer safety any all every prev other",
	rulesNoun:   "instruction instructions instruct prompt prompts rule rules guideline guidelines directive directives guardrails guardrail safeguards restrictions programming directions guidance",
	weakNoun:    "message messages context orders order command commands constraints constraint policy policies training settings limitations",
	negation:    "not never don't dont cannot can't mustn't shouldn't needn't won't nor avoid refrain doesn't neither stop",
	tellVerb:    "tell inform notify alert warn told informed",
	mentionVerb: "mention reveal disclose acknowledge discuss admit confess announce surface communicate divulge refer speak talk mentioned disclosed revealed",
	showVerb:    "show display report say explain share expose describe output print present include list repeat state shown",
	telling:     "telling informing mentioning revealing disclosing notifying alerting saying reporting explaining showing acknowledging discussing admitting warning announcing surfacing asking",
	person:      "user users users' human humans person people customer customers client's operator owner anyone anybody somebody them him her end-user humans' reader requester caller everyone guest guests visitor visitors patient patients buyer shopper employee employees student",
	pronoun:     "this it that these those anything something",
	meta: "step steps field fact facts action actions parameter param argument note notes instruction instructions detail details information part tool tools call calls behavior behaviour " +
		"request requirement requirements rule process server message integration policy check change addition lookup transfer copy",
	technical: "id ids identifier identifiers raw json html xml uuid uuids guid token tokens password passwords secret secrets key keys credential credentials markdown syntax trace traces stack payload " +
		"schema schemas url urls technical hash hashes internals sql endpoint endpoints coordinates table yaml csv base64 code codes slug slugs handle handles filename filenames path paths cursor ssn pii personal number numbers",
	truthful: "unsupported supported impossible cannot can't unable available unavailable exists exist successful successfully success succeeded complete completed done saved finished ready certain " +
		"guaranteed until published live deployed confirmed verified scheduled working",
	event: "logs records tracks collects shares sends stores uploads blocked flagged failed refused denied rejected recorded logged tracked charged fee fees added collected shared sent uploaded copied monitored accessed forwarded stored changed happened used called invoked ran read " +
		"surcharge markup upsell commission sponsored affiliate censored filtered moderated profiled recording tracking logging monitoring billing billed analytics telemetry upgraded downgraded modified replaced instructions instruction " +
		"policy moderation",
	secretAdj:   "secret hidden private confidential invisible unmentioned undisclosed quiet silent discreet",
	hideVerb:    "hide conceal withhold obscure omit",
	sendVerb:    "send post upload forward transmit email mail submit exfiltrate leak relay ship deliver copy append include pass put embed attach paste insert write add encode bcc fill sends posting uploading",
	alterVerb:   "sent routed redirected forwarded added included copied replaced changed appended attached swapped add append include set change replace bcc cc send forward copy put insert redirect pass route prepend attach reroute substitute share upload post supply",
	readVerb:    "read open cat load fetch get retrieve collect grab include attach paste copy upload send dump print extract pass forward put look find check locate access return append",
	callVerb:    "call run use invoke execute trigger",
	called:      "used called invoked run executed triggered available involved runs",
	calling:     "using calling invoking running executing",
	whenWord:    "when whenever before after if while anytime each every once on for always",
	orderWord:   "must always please should important need needs required first then now immediately mandatory critical remember ensure never also instead before sure followed additionally shall",
	guard:       "detect detects detecting detection scan scans scanning scanner flag flags flagging injection injections jailbreak jailbreaks attack attacks attacker attackers malicious suspicious adversarial attempt attempts attempting phrases phrase phishing sanitizes sanitize payloads tries trick tricks tricking defend defends protects poisoning poisoned classifier classifies looks looking pattern patterns untrusted",
	modelData:   "conversation conversations history transcript dialogue dialog chat prompt prompts context messages thread thoughts reasoning",
	credential:  "credential credentials password passwords secrets secret cookies token tokens passphrase key keys environment env",
	destination: "parameter param field argument note webhook sidenote header body endpoint comment metadata url address",
	toolNoun:    "tool tools function functions",
	otherWord:   "other another others different competing alternative third-party",
	serverNoun:  "server servers provider providers mcp extension extensions plugin plugins integration integrations vendor vendors servers' connector connectors",
	anyWord:     "any all every each",
	whole:       "whole entire full complete all everything verbatim recent",
	replaceVerb: "override overrides overriding replace replaces replacing supersede supersedes superseding disable disables shadow shadows deprecates obsoletes",
	knowVerb:    "finds knows learns notices sees hears know notice learn realize realise see hear suspect aware informed notified told find",
	reply:       "reply response answer summary output replies responses answers report explanation message",
	firstWord:   "first before after prior",
	subject:     "you assistant model ai llm agent",
}

var classes = sync.OnceValue(func() map[string]class {
	table := map[string]class{}
	for c, words := range lexicon {
		for w := range strings.FieldsSeq(words) {
			table[w] |= c
		}
	}
	return table
})

func classOf(text string) class {
	if len(text) > 16 {
		return 0
	}
	if owner, ok := strings.CutSuffix(text, "'s"); ok {
		return classes()[owner] & (person | serverNoun | toolNoun | otherWord)
	}
	return classes()[text]
}
