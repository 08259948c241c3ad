package plan

// A Pin is what pins goroutines to a P: the same for all entries that do.
type Pin struct {
	Entry string            // the first of them, after which it is named
	Names map[string]string // by their word in the templates
}

// sharePin names what pins after the first entry that does, in the names of all.
func sharePin(objects []Object) *Pin {
	var pin *Pin
	for i := range objects {
		o := &objects[i]
		if o.Sync != SyncPerCPU {
			continue
		}
		if pin == nil {
			pin = &Pin{"objects." + o.Name, names(pinWords, "Entry", o.Name)}
		}
		for word, ident := range pin.Names {
			o.Names[word] = ident
		}
	}
	return pin
}
