package report

// Message is message for fuzzing with the tests' own reader of Markdown.
var Message = message
