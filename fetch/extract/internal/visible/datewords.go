package visible

import (
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// OtherDate reports whether words before a date say that it is not the day on
// which something was published: that of an event, a birth, the end of a time.
func OtherDate(words string) bool {
	words = strings.ToLower(words)
	for _, mark := range [...]string{". ", " · ", " • ", " | ", "» "} {
		words = words[strings.LastIndex(words, mark)+1:]
	}
	return !PublishedDate(words) && otherDateWords().MatchString(words)
}

// PublishedDate reports whether words before a date say that something was
// published on it.
func PublishedDate(words string) bool {
	words = strings.ToLower(words)
	for _, w := range publishedWords {
		if strings.Contains(words, w) {
			return true
		}
	}
	return false
}

var publishedWords = []string{"publish", "posted", "created", "released", "submitted", "written", "uploaded", "issued", "veröffentlicht", "erschienen", "erstellt", "geschrieben", "publié", "publication", "mis en ligne", "paru", "rédigé", "écrit", "publicado", "publicación", "escrito",
	"pubblicat", "scritto", "gepubliceerd", "geplaatst", "geschreven", "publicação", "postado"}

var otherDateWords = lexicon.Pattern(`(?:^|[^\p{L}])(?:` + strings.Join(strings.Fields(`
clos(?:es|ing) deadline due apply applications? expir\w* valid until till available availability doors starts? starting begins? beginning ends? ending born died deceased birth death joined member registered
registration founded established since effective check-?in check-?out arrival departure departs delivery tickets? event\sdate when accessed retrieved venue kick-?off premieres? save\sthe\sdate copyright ©
bewerb\p{L}* \p{L}*frist bis gültig ab verfügbar einlass beginn\p{L}* ende endet geboren gestorben geb eröffnung registriert mitglied seit termin wann stichtag \p{L}*schluss lieferung gegründet abgerufen
clôture limite valable jusqu disponible ouverture portes début commence fin termine née? décédée? inscrite? membre depuis expire échéance consulté quand fondée? livraison
cierre cierra plazo límite hasta válid[oa] apertura puertas comienza empieza inicio termina nacid[oa] nació murió miembro registrad[oa] desde vence caduca fundad[oa] consultado cuándo entrega
scade scadenza entro valid[oa] fino porte inizi[oa] fine nat[oa] mort[oa] iscritt[oa] membro dal fondat[oa] quando consegna
sluit\p{L}* uiterlijk tot geldig beschikbaar deuren begint aanvang einde eindigt overleden lid geregistreerd sinds vanaf opgericht geraadpleegd wanneer levering
encerra\p{L}* prazo até disponível abertura portas começa início fim nascid[oa] nasceu morreu registad[oa] acessado
`), "|") + `)(?:[^\p{L}]|$)`)
