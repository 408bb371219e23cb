package checks

// GitHub's limits, and ours where we stay below.
const (
	// MaxAnnotationsPerRequest: GitHub's description of check runs ("limits the
	// number of annotations to a maximum of 50 per API request").
	MaxAnnotationsPerRequest = 50
	// MaxAnnotations is our own cap for one run: five requests, and more than
	// anybody reads. The worst come first, the rest is counted in the summary.
	MaxAnnotations = 250
	// MaxAnnotationTitle is in characters: GitHub's description of check runs.
	MaxAnnotationTitle = 255
	// MaxAnnotationMessage is in bytes: GitHub's description of check runs says
	// 64 KB, which we read as the smaller of its meanings.
	MaxAnnotationMessage = 64_000
	// MaxActions, and the characters of their parts: GitHub's description of
	// check runs.
	MaxActions           = 3
	MaxActionLabel       = 20
	MaxActionDescription = 40
	MaxActionIdentifier  = 20
	// MaxOutput is in bytes, for the summary of a run. The documentation says
	// 65,535 characters, the service counts bytes
	// (https://github.com/github/docs/issues/35252).
	MaxOutput = 65_535
	// MaxTitle is our own cap for the title of a run, in characters.
	MaxTitle = 255
	// MaxCommentBytes is the longest text for [Publisher.Comment]. GitHub takes
	// 65,536 characters (https://github.com/renovatebot/renovate/issues/2032);
	// counting bytes is the safe reading. The rest is our marker.
	MaxCommentBytes = 65_536 - len(commentMarker) - 1
	// MaxSARIF is in bytes, compressed: docs.github.com, SARIF support for code
	// scanning.
	MaxSARIF = 10 << 20
)
