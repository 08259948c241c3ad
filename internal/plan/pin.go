package plan

import "maps"

// A Pin is what pins goroutines to a P: the same for all entries that do.
type Pin struct {
	Entry string            // the first of them, after which it is named
	Names map[string]string // by their word in the templates
}

// sharePin names what pins after the first entry that does, in the names of all.
func sharePin(heaps []Heap, objects []Object) *Pin {
	var pin *Pin
	share := func(section, name string, sync Sync, theirs map[string]string) {
		if sync != SyncPerCPU {
			return
		}
		if pin == nil {
			pin = &Pin{section + name, names(pinWords, "Entry", name)}
		}
		maps.Copy(theirs, pin.Names)
	}
	for i := range heaps {
		share("heaps.", heaps[i].Name, heaps[i].Sync, heaps[i].Names)
	}
	for i := range objects {
		share("objects.", objects[i].Name, objects[i].Sync, objects[i].Names)
	}
	return pin
}
