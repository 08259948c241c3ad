package plan

import "github.com/allocgen/allocgen/internal/spec"

// Shared reports whether any goroutine uses the heap without a cache of its own.
func (h *Heap) Shared() bool { return h.Sync.shared() }

// shared reports whether a heap with that sync has caches of its own only.
func (s Sync) shared() bool { return s == SyncPerCPU || s == SyncMutex }

// checkShared refuses what cannot be had in heaps without caches.
func checkShared(s *spec.Spec, errs *spec.Errors) {
	shared := map[string]string{}
	for _, h := range s.Heaps {
		path := "heaps." + h.Name
		if Sync(h.Sync).shared() {
			shared[h.Name] = h.Sync
		}
		if Sync(h.Sync) != SyncPerCPU {
			continue
		}
		if h.Bin == "list" {
			errs.Add(s.At(path+".bin"), "%s.bin: not with sync: percpu, which moves blocks between bins: write bin: stack, or sync: cache or mutex", path)
		}
		if h.Stats == "full" {
			errs.Add(s.At(path+".stats"), "%s.stats: not with sync: percpu, whose paths know no request: write stats: basic, or sync: cache or mutex", path)
		}
	}
	for _, l := range s.Lists {
		if sync := shared[l.Heap]; sync != "" {
			errs.Add(s.At("lists."+l.Name), "lists.%s: a list belongs to a cache, and %s has none with sync: %s: write sync: cache, or leave out heap", l.Name, l.Heap, sync)
		}
	}
	for _, o := range s.Objects {
		for _, h := range s.Heaps {
			if h.Name == o.Heap && Sync(h.Sync).shared() && h.Bin == "list" {
				errs.Add(s.At("objects."+o.Name), "objects.%s: not in %s, which has bin: list and sync: %s: write bin: stack, or sync: cache", o.Name, h.Name, h.Sync)
			}
		}
	}
}

// typedSites lists the places where objects in a heap are taken and given back.
func typedSites(o *Object) []Site {
	h := o.Heap
	var sites []Site
	switch h.Sync {
	case SyncPerCPU: // by the heap's take and put
	case SyncMutex:
		sites = append(sites, newSite(o.Names, "Object.Get", AllocFast, Method, nil), newSite(o.Names, "Object.Put", FreeFast, Method, nil))
	default:
		sites = append(sites, h.allocSite(o.Names, "Object.Get", o.Alloc, "b"),
			h.freeSite(o.Names, "Object.Put", o.Free, "b", "unsafe.Pointer(x)"))
	}
	if h.Limit != 0 {
		sites = append(sites, newSite(o.Names, "Object.TryGet", AllocFast, Method, nil))
	}
	return sites
}
