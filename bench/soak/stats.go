package main

import (
	"fmt"

	"github.com/allocgen/allocgen/bench/generated/soak"
)

// plausible checks what holds at any time.
func plausible(s soak.HeapStats) error {
	for _, c := range s.Classes {
		if c.Used < 0 || c.Depot < 0 || c.Free < 0 {
			return fmt.Errorf("statistics: class of %d bytes: %+v", c.Size, c)
		}
	}
	if s.Empty < 0 || s.Large < 0 || s.Empty > s.Taken || s.Large > s.Taken {
		return fmt.Errorf("statistics: %+v", s)
	}
	return nil
}

// balanced checks that nothing is in use, where all caches are released.
func balanced(s soak.HeapStats) error {
	for _, c := range s.Classes {
		if c.Used != 0 {
			return fmt.Errorf("statistics: everything is freed, but of %d bytes %d blocks are in use", c.Size, c.Used)
		}
	}
	if s.Large != 0 || s.LargeBlocks != 0 || s.Caches != 0 {
		return fmt.Errorf("statistics: everything is freed: %d bytes in %d large blocks, %d caches", s.Large, s.LargeBlocks, s.Caches)
	}
	return nil
}
