package spec

import "strconv"

// Classes decodes `classes`, a list or a rule, and fits it and the threshold
// together. The rest of h is decoded already.
func (d *decoder) classes(h *Heap, path string, n *node) {
	if n != nil && n.kind == listKind {
		d.classList(h, path, n)
		if len(h.Classes.Sizes) > 0 {
			return
		}
	}
	h.Classes.PerDoubling = defaultPer
	if n != nil && n.kind != listKind && d.mapping(n, "a list of sizes, or a rule such as {min: 16, step: 16, to: 1KiB, per_doubling: 4}") && !d.empty(n) {
		d.classRule(h, n)
	}
	d.fitRule(h, path)
}

// ClassList decodes a list of block sizes; its last is the threshold.
func (d *decoder) classList(h *Heap, path string, n *node) {
	sizes := limits{unit: "size", min: 8, max: maxThreshold}
	aligned := !d.bad[path+".align"]
	last := 0
	for i, item := range n.items {
		if i == maxClasses {
			d.fail(item, "%d classes: at most %d", len(n.items), maxClasses)
			break
		}
		size := d.number(item, sizes, 0)
		switch {
		case size == 0: // reported
		case size == last:
			d.fail(item, "%s is listed twice", formatSize(size))
		case size < last:
			d.fail(item, "%s follows %s: write the sizes in ascending order", formatSize(size), formatSize(last))
		case size%h.Align != 0 && aligned:
			d.fail(item, "%s", notAligned(size, h.Align))
		case size%h.Align == 0:
			d.spec.pos[n.path+"."+strconv.Itoa(len(h.Classes.Sizes))] = item.pos
			h.Classes.Sizes = append(h.Classes.Sizes, size)
			last = size
		}
	}
	if len(n.items) == 0 {
		d.fail(n, "an empty list: name a size, or remove the key for the default")
	}
	if last > 0 {
		d.checkListed(h, path, n, last)
		h.Threshold = last
	}
}

// CheckListed refuses a threshold that is not the last class: requests between
// the two would have no class.
func (d *decoder) checkListed(h *Heap, path string, n *node, last int) {
	threshold := path + ".threshold"
	if d.written(threshold) && !d.bad[threshold] && !d.bad[n.path] && h.Threshold != last {
		d.failKey(threshold, "%s is not the last class (%s), which is the threshold: remove the key", formatSize(h.Threshold), formatSize(last))
	}
}

// ClassRule decodes {min: 16, step: 16, to: 1KiB, per_doubling: 4}. Keys that
// are not written stay 0 here, except per_doubling.
func (d *decoder) classRule(h *Heap, n *node) {
	c := &h.Classes
	for _, f := range d.fields(n, &classKeys) {
		l := classKeys.must(f.name).limits
		switch f.name {
		case "min":
			c.Min = d.number(f.value, l, 0)
		case "step":
			c.Step = d.number(f.value, l, 0)
		case "to":
			c.To = d.number(f.value, l, 0)
		case "per_doubling":
			c.PerDoubling = d.number(f.value, l, defaultPer)
		}
	}
}

// FitRule fills in what the rule leaves out and checks the whole.
func (d *decoder) fitRule(h *Heap, path string) {
	c, rule := &h.Classes, path+".classes"
	d.checkRuleAlign(h, path, rule+".min", &c.Min)
	d.checkRuleAlign(h, path, rule+".step", &c.Step)
	d.checkRuleAlign(h, path, rule+".to", &c.To)
	class := max(defaultClass, h.Align)
	c.Min = orDefault(c.Min, class)
	c.Step = orDefault(c.Step, class)
	d.fitMin(h, path)
	d.fitTo(h, path)
}

func (d *decoder) checkRuleAlign(h *Heap, path, key string, size *int) {
	if *size%h.Align == 0 {
		return
	}
	if !d.bad[path+".align"] {
		d.failKey(key, "%s", notAligned(*size, h.Align))
	}
	*size = 0
}

// FitMin keeps the smallest class within the threshold.
func (d *decoder) fitMin(h *Heap, path string) {
	c, min, threshold := &h.Classes, path+".classes.min", path+".threshold"
	if c.Min <= h.Threshold {
		return
	}
	switch {
	case d.bad[path+".align"] || d.bad[threshold]:
	case d.written(min):
		d.failKey(min, "%s is above the threshold (%s)", formatSize(c.Min), formatSize(h.Threshold))
	default:
		d.failKey(threshold, "%s is below the smallest class (%s): raise it, or write classes.min", formatSize(h.Threshold), formatSize(c.Min))
	}
	c.Min = max(defaultClass, h.Align)
	if h.Threshold < c.Min {
		h.Threshold = defaultHeap.Threshold
	}
}

// FitTo keeps the end of the linear steps between the smallest class and the
// threshold.
func (d *decoder) fitTo(h *Heap, path string) {
	c, to, per := &h.Classes, path+".classes.to", path+".classes.per_doubling"
	fitting := max(min(defaultTo, h.Threshold), c.Min)
	trusted := !d.bad[path+".align"] && !d.bad[path+".threshold"] && !d.bad[path+".classes.min"]
	switch {
	case c.To == 0:
		c.To = fitting
	case c.To < c.Min:
		if trusted {
			d.failKey(to, "%s is below min (%s)", formatSize(c.To), formatSize(c.Min))
		}
		c.To = fitting
	case c.To > h.Threshold:
		if trusted {
			d.failKey(to, "%s is above the threshold (%s): lower it, or raise the threshold", formatSize(c.To), formatSize(h.Threshold))
		}
		c.To = fitting
	}
	if c.To == h.Threshold && d.written(per) && trusted && !d.bad[to] && !d.bad[per] {
		d.failKey(per, "no effect: the linear steps reach the threshold (%s), so that nothing doubles", formatSize(h.Threshold))
	}
}

func orDefault(n, def int) int {
	if n == 0 {
		return def
	}
	return n
}
