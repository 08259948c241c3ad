package spec

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzParse(f *testing.F) {
	for _, c := range bad {
		f.Add([]byte(c.src))
	}
	for _, c := range good {
		f.Add([]byte(c.src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		s, errs := Parse("a.yaml", src)
		again, errsAgain := Parse("a.yaml", src)
		require.Equal(t, errs, errsAgain)
		require.Equal(t, s, again)
		requireInside(t, src, errs)
		for _, e := range errs {
			require.NotContains(t, e.Error(), "\n")
			require.Less(t, len(e.Error()), 4096)
		}
		if s == nil {
			require.NotEmpty(t, errs)
			return
		}
		requireSound(t, s)
		if len(errs) == 0 {
			require.True(t, IsSpec(src))
			require.NotEmpty(t, s.Package)
			require.NotZero(t, len(s.Heaps)+len(s.Lists))
		}
	})
}

// RequireSound checks what package plan takes for granted, with or without
// errors.
func requireSound(t *testing.T, s *Spec) {
	heaps := map[string]bool{"": true}
	for _, h := range s.Heaps {
		heaps[h.Name] = true
		requireSoundHeap(t, h)
	}
	for _, l := range s.Lists {
		require.True(t, heaps[l.Heap])
		require.Contains(t, elements, l.Of)
		require.NotEmpty(t, l.Sizing)
	}
	for _, line := range strings.Split(s.Doc, "\n") {
		require.Empty(t, checkDocLine(line))
	}
	require.Empty(t, checkOut(s.Out))
}

func requireSoundHeap(t *testing.T, h Heap) {
	pow2 := func(n int) bool { return n > 0 && n&(n-1) == 0 }
	require.True(t, pow2(h.Align) && pow2(h.Pool) && pow2(h.Arena) && pow2(h.Depth.All))
	require.True(t, h.Arena >= 4*h.Pool && h.Align <= h.Pool)
	require.True(t, h.Threshold%h.Align == 0 && h.Threshold >= h.Align && h.Threshold <= maxThreshold)
	require.NotEmpty(t, h.Large+h.Sync+h.Bin+h.DoubleFree+h.Stats)
	for i, d := range h.Depth.Lower {
		require.True(t, pow2(d.Depth) && d.Depth <= h.Depth.All)
		require.True(t, i == 0 || h.Depth.Lower[i-1].Size < d.Size)
	}
	c := h.Classes
	if len(c.Sizes) > 0 {
		require.Zero(t, c.Min+c.Step+c.To+c.PerDoubling)
		require.LessOrEqual(t, len(c.Sizes), maxClasses)
		for i, size := range c.Sizes {
			require.True(t, size%h.Align == 0 && (i == 0 || c.Sizes[i-1] < size))
		}
		require.Equal(t, h.Threshold, c.Sizes[len(c.Sizes)-1])
		return
	}
	require.True(t, pow2(c.PerDoubling))
	require.Zero(t, c.Min%h.Align+c.Step%h.Align+c.To%h.Align)
	require.True(t, 0 < c.Step && 0 < c.Min && c.Min <= c.To && c.To <= h.Threshold, "%+v", h)
}

// Any combination of the keys of a heap gives a sound heap, with errors or
// without, and repeats no error.
func TestCombinations(t *testing.T) {
	keys := []struct {
		name   string
		values []string
	}{
		{"align", []string{"8", "16", "64", "4KiB", "12"}},
		{"threshold", []string{"8", "16", "512", "520", "1KiB", "4KiB", "128KiB", "1MiB", "64K"}},
		{"classes", []string{"[16, 32]", "[8, 24, 512]", "[4KiB]", "[1, 2]", "[]", "{min: 8}", "{min: 64, step: 64}", "{to: 512}", "{min: 4KiB, to: 8KiB, per_doubling: 2}", "{min: 0, to: 24}", "{step: 24}", "{per_doubling: 64}", "x"}},
		{"pool", []string{"4KiB", "256KiB", "5"}},
		{"arena", []string{"64KiB", "64MiB", "1KiB"}},
		{"depth", []string{"1", "{all: 4, 64: 8, 16: 2}", "{16: 2}", "3"}},
	}
	random := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range 5000 {
		var parts []string
		for _, k := range keys {
			if random.IntN(2) == 0 {
				parts = append(parts, k.name+": "+k.values[random.IntN(len(k.values))])
			}
		}
		src := heap(strings.Join(parts, ", "))
		s, errs := Parse("a.yaml", []byte(src))
		require.Len(t, s.Heaps, 1, src)
		requireSoundHeap(t, s.Heaps[0])
		places := make(map[Pos]bool)
		for _, e := range errs {
			require.False(t, places[e.Pos], "%s\n%v", src, errs)
			places[e.Pos] = true
		}
		if len(errs) == 0 {
			accepted++
		}
	}
	require.Greater(t, accepted, 500)
}
