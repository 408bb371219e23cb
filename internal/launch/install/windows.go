package install

import "strings"

// cmdProgram reads cmd: what follows /c is a command line.
func (r *reader) cmdProgram(args []word, depth int) {
	for i, w := range args {
		lower := strings.ToLower(w.text)
		if !strings.HasPrefix(lower, "/") {
			return // without /c it waits for a person
		}
		if lower == "/c" || lower == "/k" || lower == "/r" || strings.HasSuffix(lower, "/c") || strings.HasSuffix(lower, "/k") {
			r.joined(args[i+1:], cmdShell, depth)
			return
		}
	}
}

// powerShellProgram reads powershell and pwsh: what follows -Command is a text.
// Options may be cut short, and have one hyphen.
// Source: about_Powershell_exe, about_Pwsh.
func (r *reader) powerShellProgram(name string, args []word, depth int) {
	for len(args) > 0 {
		option := strings.ToLower(args[0].text)
		if !strings.HasPrefix(option, "-") && !strings.HasPrefix(option, "/") {
			if name == "powershell" {
				r.joined(args, powerShell, depth) // -Command is its default; pwsh's is a file
			}
			return
		}
		option = strings.TrimLeft(option, "-/")
		switch {
		case option == "c" || len(option) > 2 && strings.HasPrefix("commandwithargs", option) || option == "cwa":
			r.joined(args[1:], powerShell, depth)
			return
		case option == "e" || option == "ec" || len(option) > 1 && strings.HasPrefix("encodedcommand", option):
			r.unclear("an encoded text for PowerShell")
			return
		case option == "f" || len(option) > 1 && strings.HasPrefix("file", option):
			return // a file of this machine
		case has("ep ex exec executionpolicy w windowstyle version v workingdirectory wd wo inputformat if inp outputformat o of out "+
			"configurationname config configurationfile custompipename settingsfile settings psconsolefile", option) ||
			len(option) > 2 && (strings.HasPrefix("executionpolicy", option) || strings.HasPrefix("windowstyle", option)):
			args = args[min(2, len(args)):]
		default:
			args = args[1:]
		}
	}
}

// joined reads words that a program joins with blanks to one text. Where no word
// has anything that the shell would read, they are the command's words, which
// keeps their places.
func (r *reader) joined(words []word, language dialect, depth int) {
	if len(words) == 0 {
		return
	}
	plain := true
	for _, w := range words {
		plain = plain && w.text != "" && !strings.ContainsAny(w.text, " \t\r\n\"'`^&|;<>(){}%$#")
	}
	if plain {
		r.command(words, depth+1)
		return
	}
	text := strings.Join(texts(words), " ")
	if r.shellText(text, language, depth, r.command) {
		for _, w := range words {
			r.claimed[w.id] = true
		}
	}
}
