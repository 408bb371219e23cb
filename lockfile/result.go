package lockfile

import "strings"

// resultWords turns the words about a parameter, a format of a message, into
// those about a part of a result: a caller sends the one and is given the other,
// so nothing of it is accepted or demanded.
//
// More special words stand before those that they begin with; what none of them
// says fits both.
var resultWords = strings.NewReplacer(
	"new required parameter %s%s", "%s is new and always there%s",
	"new optional parameter %s%s", "%s is new and may be there%s",
	"is refused now", "is never there now",
	"is no longer accepted at all", "is never there any more",
	"is accepted now%s; it was refused before", "may be there now%s; it never was before",
	"is now required; it was optional", "is always there now; it might be missing",
	"is now required, but not declared; it was not asked for", "is always there now, but not declared",
	"is now optional; it was required", "may be missing now; it was always there",
	"accepts less: one of its items has to be %s now", "always has an item now that is %s",
	"accepts less: it is limited to", "is limited to",
	"accepts less: it accepts %s now, and accepted %s", "is %s now, and was %s",
	"accepts less: %s is no longer among", "is limited further: %s is no longer among",
	"accepts less: ", "is limited further: ",
	"now accepts every name that matches", "may now have every name that matches",
	"now accepts lists without any matching item too", "may now be a list without any matching item",
	"; one was needed", "; there always was one",
	"; one had to be %s", "; one was always %s",
	"now accepts what it refused: ", "may now be what it never was: ",
	"no longer accepts only what", "is no longer only what",
	"now accepts anything", "may now be anything",
	"now accepts values of any type", "may now be of any type",
	"now accepts values of any format", "may now be of any format",
	"now accepts %s too; it was limited to", "may now be %s too; it was limited to",
	"now accepts %s too: ", "may now be %s too: ",
	"now accepts", "may now be",
	"; it accepted ", "; it was ",
	"now refuses", "is now never",
	"; it refused %s", "; it was never %s",
	"what %s accepts now depends", "what %s is now depends",
	"decides what %s accepts", "decides what %s is",
	"whoever gives %s of %s now has to give %s too", "with %s of %s now always comes %s too",
	"is now accepted alone; it had to come with", "may now come alone; it always came with",
	"may accept more", "may be more",
	"no longer has to fit", "no longer always fits",
)
