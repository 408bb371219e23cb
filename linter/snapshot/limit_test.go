package snapshot

import (
	"strings"
	"testing"
)

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

func TestMoreEntitiesThanTheLimitIsAnError(t *testing.T) {
	t.Parallel()
	list := func(n int) string { return strings.Repeat(`{"name":"a"},`, n-1) + `{"name":"a"}` }
	if _, err := Parse("", []byte("["+list(maxEntities)+"]")); err != nil {
		t.Errorf("as many as there may be: %v", err)
	}
	for name, text := range map[string]string{
		"one list":  "[\n" + list(maxEntities+1) + "]",
		"all lists": `{"prompts":[{"name":"p"}],"resources":[1],"tools":[` + "\n" + list(maxEntities-1) + "]}",
	} {
		_, err := Parse("", []byte(text))
		if err == nil || !strings.Contains(err.Error(), "more than 250000 tools, prompts and resources; expected a smaller snapshot") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
