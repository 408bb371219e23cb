package lockfile

// WordDiff is wordDiff for fuzzing.
var WordDiff = wordDiff
