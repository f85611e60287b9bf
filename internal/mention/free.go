package mention

// SaysFree reports whether a text says that one pays nothing, and nothing else:
// "Free", "Eintritt frei".
func SaysFree(text string) bool { return len(text) < maxFree && freeWords[Key(text)] }

// maxFree is how long such a text may be, in bytes.
const maxFree = 40

var freeWords = setOf("free", "freeentry", "freeadmission", "freeevent", "freeofcharge", "nocharge", "admissionfree", "entryfree", "freeentrance", "entranceisfree", "admissionisfree", "freetoattend",
	"gratis", "kostenlos", "kostenfrei", "eintrittfrei", "freiereintritt", "dereintrittistfrei", "frei", "gratuit", "gratuite", "entreelibre", "entreegratuite", "libre", "entradalibre", "entradagratuita", "gratuito", "gratuita", "ingressolibero", "ingressogratuito", "gratistoegang", "toeganggratis")
