package severity

import (
	"encoding/json"
	"testing"
)

func TestLevelsRoundTrip(t *testing.T) {
	t.Parallel()
	for _, l := range append(Levels(), Off) {
		data, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		var back Level
		if err := json.Unmarshal(data, &back); err != nil || back != l {
			t.Errorf("%s came back as %s, %v", data, back, err)
		}
	}
	if l, err := Parse("never"); l != Off || err != nil {
		t.Errorf("never is %s, %v", l, err)
	}
	if _, err := Parse("fatal"); err == nil {
		t.Error("an unknown name is accepted")
	}
}

func TestNothingReachesOff(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		level, threshold Level
		want             bool
	}{
		{Error, Off, false}, {Error, Error, true}, {Warning, Error, false}, {Warning, Info, true}, {Off, Info, false},
	} {
		if got := tt.level.Reaches(tt.threshold); got != tt.want {
			t.Errorf("%s reaches %s: %t", tt.level, tt.threshold, got)
		}
	}
}
