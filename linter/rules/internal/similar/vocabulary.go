package similar

import (
	"math/bits"
	"math/rand/v2"
)

// vocabulary numbers words by their hashes, in the order of their first
// appearance. It is asked for every word of every text, which a map of the
// language takes three times as long for: it hashes again. The zero value is
// empty.
type vocabulary struct {
	slots []slot // a power of two of them, at most half in use
	count int32
	seed  uint64 // odd and secret, so that nobody can write words for one slot
}

// slot is free when its number is 0.
type slot struct {
	hash   uint64
	number int32 // plus 1
}

const smallVocabulary = 1 << 9

// number returns the number of a word: for a new one how many there were
// before.
func (v *vocabulary) number(hash uint64) int32 {
	if int(v.count)*2 >= len(v.slots) {
		v.grow()
	}
	s := v.find(hash)
	if s.number == 0 {
		v.count++
		s.hash, s.number = hash, v.count
	}
	return s.number - 1
}

// find returns the slot of a word, a free one when it is new.
func (v *vocabulary) find(hash uint64) *slot {
	mask := uint64(len(v.slots) - 1)
	for i := hash * v.seed >> bits.LeadingZeros64(mask); ; i++ {
		if s := &v.slots[i&mask]; s.number == 0 || s.hash == hash {
			return s
		}
	}
}

func (v *vocabulary) grow() {
	if v.seed == 0 {
		v.seed = rand.Uint64() | 1
	}
	old := v.slots
	v.slots = make([]slot, max(smallVocabulary, 2*len(old)))
	for i := range old {
		if old[i].number != 0 {
			*v.find(old[i].hash) = old[i]
		}
	}
}
