package templates

import "github.com/allocgen/allocgen/internal/plan"

// listGrow is the sizing rule: the capacity for need items. It declares
// capacity. Holes: list, need.
func listGrow(s *scope, sizing plan.Sizing) []code {
	switch sizing {
	case plan.CPython:
		return []code{
			s.do("capacity := (need + need>>3 + 6) &^ 3"),
			s.when("need-list.n > capacity-need", // a big jump gets no slack
				s.do("capacity = (need + 3) &^ 3")),
		}
	case plan.CPython2:
		return []code{
			s.do("capacity := need + need>>3 + 6"),
			s.when("need < 9", s.do("capacity -= 3")),
		}
	case plan.Go:
		return []code{
			s.do("capacity := 2 * list.cap"),
			s.when("list.cap >= 256", s.do("capacity = list.cap + (list.cap+3*256)>>2")),
			s.do("capacity = max(need, min(capacity, listMax))"),
		}
	default:
		return []code{s.do("capacity := max(need, min(2*list.cap, listMax))")}
	}
}

// growAt is listGrow at a site.
func growAt(s *scope, site plan.Site, sizing plan.Sizing) []code {
	return splice(site.Fragment, listGrow(s.at(site), sizing))
}

// listRelease gives the buffer back, so that there is none iff the capacity is
// 0. In a heap the buffer's block is freed first, by the statements in free.
// Hole: list.
func listRelease(s *scope, l plan.List, free func(s *scope) []code) []code {
	forget := s.do("list.ptr, list.n, list.cap = nil, 0, 0")
	if l.Heap == nil {
		return []code{forget}
	}
	find := s.do("bin := list.cache.BinOf(unsafe.Pointer(list.ptr))")
	return []code{s.when("list.ptr != nil", join([]code{find}, free(s), []code{forget})...)}
}

// releaseAt is listRelease in one of the list's functions.
func releaseAt(s *scope, l plan.List, in string) []code {
	site := l.Site(in, plan.ListRelease)
	return splice(site.Fragment, listRelease(s.at(site), l, func(s *scope) []code {
		return freeAt(s, *l.Heap, l.Site(in, plan.FreeFast))
	}))
}
