package webhook

import (
	"encoding/json"
	"fmt"
)

// action is the payload's action, "" for events without one. It is read
// leniently: an event that we do not know is not refused for an odd action.
func action(payload []byte) (string, error) {
	var p struct {
		Action any `json:"action"`
	}
	if err := json.Unmarshal(payload, &p); err != nil {
		return "", fmt.Errorf("payload: %w", err)
	}
	if a, ok := p.Action.(string); ok && len(a) <= maxDeliveryID {
		return a, nil
	}
	return "", nil
}
