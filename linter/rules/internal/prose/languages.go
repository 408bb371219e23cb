package prose

import (
	"strings"
	"sync"

	"github.com/mcp-lint/mcp-lint/linter/severity"
)

// phrase is what one sentence must have, in any order: of each member one of
// the stems that bars separate. The first is also the trigger.
type phrase struct {
	intent Intent
	has    []string
}

func says(intent Intent, trigger string, has ...string) phrase {
	return phrase{intent, append([]string{trigger}, has...)}
}

// language has the phrases of one language. They are stems in their own
// spelling; both they and the text are folded before they are compared.
type language struct {
	name    string
	phrases []phrase
	// verbLast: an order ends with its verb. Elsewhere what it is about follows.
	verbLast bool
}

var languages = []language{
	{"German", eachTrigger("ignoriere |ignorieren sie|vergiss |vergessen sie|missachte |übergehe |nicht mehr befolg|befolge nicht", DropInstructions,
		"vorherig|vorig|bisherig|obig|früher|vorangegangen|alle", "anweisung|instruktion|vorgabe|befehle|regeln").
		and("nutzer|anwender|kunden ", HideFromUser, "nicht|nichts| kein|niemals| ohne|verschweig|verheimlich",
			" sag | sage |sagen sie|erzähl| teile |informiere |informieren|erwähn|verrate |verraten sie|verschweig|verheimlich| wissen"), false},
	{"French", eachTrigger("ignore |ignorez |oublie |oubliez |pas compte |abstraction ", DropInstructions,
		"précédent|antérieur|ci-dessus|initiales|toutes", "instructions|consignes|directives").
		and("utilisateur", HideFromUser, "ne dis |ne dites |n'informe|ne mentionne|ne parle|ne révél|ne préviens|ne le dis|n'en parle|ne signale|"+
			"sans informer|sans prévenir|sans en parler|sans le dire|sans mentionner|sans que l'| cache |cachez|à l'insu"), false},
	{"Spanish", eachTrigger("ignora |ignore |ignorad|olvida |olvide |caso omiso|descarta |no sigas", DropInstructions,
		"anterior|previas|precedente|todas", "instrucci|indicaci|directrices|órdenes").
		and("usuario", HideFromUser, "no digas|no le diga|no se lo diga|no informe|no mencion|no revel|no cuent|no le cuent|no avis|"+
			"sin informar|sin decir|sin mencionar|sin avisar|sin que el|oculta |ocúlta| en secreto"), false},
	{"Portuguese", eachTrigger("ignore |esqueça |desconsidere |não siga", DropInstructions,
		"anterior|prévias|acima|todas", "instruções|diretrizes|ordens").
		and("usuário|utilizador", HideFromUser, "não diga|não informe|não mencione|não revele|não conte|não avise|não fale|"+
			"sem informar|sem avisar|sem dizer|sem mencionar|sem que o|esconda|em segredo"), false},
	{"Italian", eachTrigger("ignora |ignorate |dimentica |trascura |non seguire", DropInstructions,
		"precedent|anterior|di cui sopra|tutte", "istruzioni|direttive|indicazioni").
		and("utente", HideFromUser, "non dire|non dirlo|non informare|non menzionare|non rivelare|non parlar|non avvisare|"+
			"senza informare|senza dir|senza avvisare|senza che|nascondi|di nascosto|all'insaputa"), false},
	{"Dutch", eachTrigger("negeer |vergeet ", DropInstructions, "vorige|eerdere|voorgaande|bovenstaande|alle", "instructies|opdrachten|aanwijzingen").
		and("gebruiker", HideFromUser, " niet| niets|zonder|nooit|verberg|geheim", "vertel|zeg |meld |vermeld|informeer|verberg|geheim"), false},
	{"Polish", eachTrigger("zignoruj|ignoruj |zapomnij", DropInstructions, "poprzedni|wcześniejsz|powyższ|wszystk", "instrukcj|polece|zasad").
		and("użytkownik", HideFromUser, "nie mów|nie informuj|nie wspominaj|nie ujawniaj|bez wiedzy|ukryj"), false},
	{"Turkish", eachTrigger("yok say|görmezden gel", DropInstructions, "önceki|yukarıdaki|tüm|bütün", "talimat|kural|yönerge|komut").
		and("kullanıcı", HideFromUser, "söyleme|bahsetme|bildirme|haber verme|gizle"), true},
	{"Russian", eachTrigger("игнорируй|проигнорир|забудь|не обращай|не следуй", DropInstructions,
		"предыдущ|прежн|ранее|выше|все ", "инструкц|указани|правил|команд").
		and("пользовател", HideFromUser, "не говори|не сообщай|не рассказывай|не упоминай|не раскрывай|не информируй|скрой|скрывай|втайне|без ведома"), false},
	{"Ukrainian", eachTrigger("ігноруй|забудь", DropInstructions, "попередн|усі|всі", "інструкц|вказівк|правил").
		and("користувач", HideFromUser, "не кажи|не повідомляй|не згадуй|не розповідай|приховай"), false},
	{"Chinese", eachTrigger("忽略|无视|無視|忘记|忘記|不要理会|不要遵守|不再遵循|忽視", DropInstructions,
		"之前|以上|先前|前面|此前|所有|原来|上述|系统|系統", "指令|指示|提示|规则|規則|命令").
		and("用户|用戶|使用者", HideFromUser, "不要告诉|不要告訴|别告诉|別告訴|不要让|不要讓|不要向|不得向|无需告知|不要提及|不要透露|瞒着|瞞著|隐瞒|隱瞞|切勿告知|不必告知|不要通知"), false},
	{"Japanese", eachTrigger("無視|忘れて|従わない|破棄", DropInstructions,
		"これまで|以前|前の|上記|今まで|先の|全て|すべて", "指示|命令|ルール|プロンプト").
		and("ユーザ|利用者|使用者", HideFromUser, "知らせない|伝えない|言わない|話さない|教えない|内緒|秘密に|悟られない|気づかれない|報告しない"), true},
	{"Korean", eachTrigger("무시하|잊어|따르지", DropInstructions, "이전|앞의|위의|지금까지|모든|기존", "지시|명령|프롬프트|지침").
		and("사용자|유저", HideFromUser, "알리지 마|알리지 말|말하지 마|말하지 말|언급하지|밝히지|비밀로|모르게|알려주지 마"), true},
	{"Arabic", eachTrigger("تجاهل|انس |انسى|لا تتبع", DropInstructions, "السابق|أعلاه|جميع", "التعليمات|الأوامر|القواعد|تعليمات").
		and("المستخدم", HideFromUser, "لا تخبر|لا تذكر|دون إخبار|دون علم|لا تكشف|لا تبلغ|بدون علم"), false},
	{"Hindi", eachTrigger("अनदेखा|नज़रअंदाज|भूल जा", DropInstructions, "पिछले|पिछली|पहले|सभी", "निर्देश|आदेश").
		and("उपयोगकर्ता|यूज़र", HideFromUser, "मत बता|न बता|से छुपा|से छिपा"), true},
	{"Vietnamese", eachTrigger("bỏ qua|phớt lờ", DropInstructions, "trước|ở trên|tất cả", "hướng dẫn|chỉ thị|mệnh lệnh").
		and("người dùng", HideFromUser, "đừng nói|không nói|đừng cho|không cho người dùng biết|đừng tiết lộ|đừng đề cập|giấu"), false},
}

type phrases []phrase

// eachTrigger makes one phrase for each trigger, since only one of the words of
// the first member needs to be there.
func eachTrigger(triggers string, intent Intent, has ...string) phrases {
	var list phrases
	for trigger := range strings.SplitSeq(triggers, "|") {
		list = append(list, says(intent, trigger, has...))
	}
	return list
}

func (p phrases) and(triggers string, intent Intent, has ...string) phrases {
	return append(p, eachTrigger(triggers, intent, has...)...)
}

// foldedPhrase is a phrase as texts are compared with it.
type foldedPhrase struct {
	phrase
	trigger string
	stems   [][]string
	follows bool // they stand after the trigger
}

var foldedPhrases = sync.OnceValue(func() []foldedPhrase {
	var list []foldedPhrase
	for _, l := range languages {
		for _, p := range l.phrases {
			f := foldedPhrase{phrase: p, trigger: lowerASCII(fold(p.has[0]))}
			f.follows = p.intent == DropInstructions && !l.verbLast
			for _, stems := range p.has[1:] {
				f.stems = append(f.stems, strings.Split(lowerASCII(fold(stems)), "|"))
			}
			list = append(list, f)
		}
	}
	return list
})

// longestForeign bounds what is looked at of one sentence, mostForeign of all
// sentences of a text that have a trigger, in bytes.
const (
	longestForeign = 2000
	mostForeign    = 1 << 18
)

// matchForeign: the phrases of other languages. The stems of a member may be
// anywhere in the sentence but not in quotes.
func matchForeign(s *sentence) (Match, bool) {
	if s.words[len(s.words)/2].example || s.foreignLeft <= 0 {
		return Match{}, false
	}
	raw := s.raw()
	s.foreignLeft -= len(raw)
	raw = " " + raw[:min(len(raw), longestForeign)] + " "
	for _, p := range foldedPhrases() {
		at := strings.Index(raw, p.trigger)
		if at < 0 {
			continue
		}
		if !p.follows {
			at = 0
		}
		if hasEach(raw[at:], p.stems) {
			return Match{Intent: p.intent, Level: severity.Warning, Excerpt: s.excerpt(0, len(s.words)-1), foreign: true}, true
		}
	}
	return Match{}, false
}

func hasEach(text string, members [][]string) bool {
	for _, stems := range members {
		found := false
		for _, stem := range stems {
			found = found || strings.Contains(text, stem)
		}
		if !found {
			return false
		}
	}
	return true
}
