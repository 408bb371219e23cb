package snapshot

import "testing"

// The real limit is too large for a test.
func TestMoreValuesThanTheLimitIsAnError(t *testing.T) {
	t.Parallel()
	doc := newDocument([]byte("[1,\n2,[3]]"))
	if _, err := (&builder{doc: doc, limit: 5}).build(); err != nil {
		t.Errorf("five values: %v", err)
	}
	_, err := (&builder{doc: doc, limit: 3}).build()
	if err == nil || err.Error() != "2:3: more than 3 JSON values; expected a smaller snapshot" {
		t.Errorf("got %v", err)
	}
}
