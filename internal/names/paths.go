package names

var vias, inside, texts = listed("vias"), listed("inside"), listed("texts")

// Vias returns the members of a thing below which a concept may be found.
func Vias(concept string) []string { return vias()[concept] }

// Inside returns what a concept is also called inside a thing.
func Inside(concept string) []string { return inside()[concept] }

// Texts returns the members that stand for a thing of one of the types.
func Texts(types []string) []string {
	for _, t := range types {
		if list := texts()[t]; list != nil {
			return list
		}
	}
	return texts()["any"]
}

// AddressParts are the members of a postal address in the order in which it is
// written.
var AddressParts = []string{"streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry"}
