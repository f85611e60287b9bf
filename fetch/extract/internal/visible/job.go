package visible

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
)

// amountRange is an amount of money or a range of two, as pay is written.
const amountRange = `(?:up to |from |ab |bis zu |bis |de |à partir de |desde |hasta |da |fino a |vanaf |tot )?(?:[A-Z]{3}\s?)?[$€£¥₹]?\s?\d[\d.,'’ \x{A0}]*k?\s?(?:[$€£]|[A-Z]{3}|euros?)?(?:\s?(?:-|–|—|to|bis|à|a|al|and|y|tot)\s?(?:[A-Z]{3}\s?)?[$€£¥₹]?\s?\d[\d.,'’ \x{A0}]*k?\s?(?:[$€£]|[A-Z]{3}|euros?)?)?`

// perPeriod is the time that an amount is paid for.
const perPeriod = `\s*(?:(?:per|a|an|/|p\.|pro|im|par|por|al|el|à l'|all'|de l')\s?(?:annum|year|yr|hour|hr|h|a\.?|hora|heure|ora|uur|stunde|std\.?|jahr|an|année|año|anno|jaar|ano)|p\.?\s?a\.?|annually|hourly|yearly|jährlich|brutto/jahr|brut/an|brut annuel|brutos/año|lordi annui|l'heure)\b\.?(?:\s*(?:gross|brutto|brut|bruto|brutos|lordi|plus .{1,30}|\+ .{1,30}|dependent on .{1,30}|doe|pro rata|\([^)]{1,40}\)))?`

var (
	// payText is pay behind a word for it, and wageText one that says by itself
	// that it is: for a year or an hour.
	payText  = lexicon.Pattern(`(?i)^` + amountRange + `(?:` + perPeriod + `|\s*(?:per|a|/|pro|par|por|al)\s?(?:month|week|day|monat|woche|tag|mois|semaine|jour|mes|día|mese|maand|mês)\b)?\.?$`)
	wageText = lexicon.Pattern(`(?i)^` + amountRange + perPeriod + `$`)
	// rangeText cuts a range of pay in two.
	rangeText = lexicon.Pattern(`(?i)^\D{0,8}(\d[\d.,'’ \x{A0}]*k?)\s?(?:[$€£]|[A-Z]{3}|euros?)?\s?(?:-|–|—|to|bis|à|a|al|tot)\s?\D{0,5}?(\d[\d.,'’ \x{A0}]*k?)(?:\D|$)`)
)

func isWage(s string) bool {
	return len(s) <= 2*maxMoney && strings.ContainsAny(s, "$€£¥₹") && wageText().MatchString(s)
}

// jobLabels are labels that say less than their values do.
var jobLabels = setOf("type location workplace contract hours position-type schedule standort arbeitszeit art vertrag lieu contrat ubicación jornada contrato sede contratto locatie")

// isHighRange reports whether a text is a range of amounts as high as the pay of
// a year.
func isHighRange(s string) bool {
	return strings.ContainsAny(s, "$€£") && highRange().MatchString(s)
}

var highRange = lexicon.Pattern(`^[$€£]?\s?\d{2,3}(?:[.,]?\d{3}|k)\s?€?\s?(?:-|–|—|to|bis)\s?[$€£]?\s?\d{2,3}(?:[.,]?\d{3}|k)\s?€?$`)

// contractText is how somebody is employed, and remoteText where from.
var (
	contractText = lexicon.Pattern(`(?i)^(?:(?:permanent|temporary|fixed[- ]term|unbefristet|befristet|contract)[,/ ]+)?(full[- ]time|part[- ]time|vollzeit|teilzeit|temps plein|temps partiel|jornada completa|tiempo completo|media jornada|tiempo parcial|tempo pieno|part[- ]time|voltijd|deeltijd|fulltime|parttime|tempo integral|tempo parcial|permanent|temporary|fixed[- ]term|internship|apprenticeship|freelance|werkstudent|praktikum|festanstellung|cdi|cdd)(?:[,/ ]+(?:position|role|job|contract|permanent|temporary|unbefristet|befristet|stelle|cdi|cdd))?$`)
	remoteText   = lexicon.Pattern(`(?i)^(?:fully |100 ?% )?(remote|hybrid|on-?site|home ?office|work from home|télétravail|teletrabajo|telelavoro|thuiswerk|thuiswerken|teletrabalho|remoto|híbrido)(?:\s(?:work|role|position|job|possible|working|möglich|possible)|\s?\([^)]{1,30}\))?$`)
)

// sign is a text that looks like a part of an offer of work.
type sign struct {
	node       int
	name, text string
}

// jobs reads what needs no label where a page offers work: pay, the kind of
// contract, from where. One alone says little; two make an offer.
func (r *reader) jobs() {
	var found []sign
	kinds := map[string]bool{}
	for i := range r.lines {
		r.pass(i)
		l := &r.lines[i]
		n := &r.nodes[l.first]
		if l.to-l.from > 2*maxPattern || n.part != 0 || n.is(inTable|isAside|isStruck) || r.isForeign(l.first) || len(found) >= maxOfAKind {
			continue
		}
		for s := range segments(r.text[l.from:l.to]) {
			if label, text := splitLabel(s); label != "" && jobLabels[strings.ToLower(label)] {
				s = text
			}
			if name := jobSign(s); name != "" {
				found = append(found, sign{l.first, name, s})
				kinds[name] = true
			}
		}
	}
	known := 0
	for _, name := range jobNames {
		if r.hasLabelled(name) {
			known++
		}
	}
	if len(kinds) == 0 || len(kinds)+known < 2 {
		return
	}
	for _, s := range found {
		r.addJobSign(s)
	}
}

func jobSign(s string) string {
	switch {
	case s == "" || len(s) > 2*maxMoney:
	case !hasDigit(s) && !jobLetters[s[0]|0x20]:
	case contractText().MatchString(s):
		return "employment type"
	case remoteText().MatchString(s):
		return "remote"
	case hasDigit(s) && (isWage(s) || isHighRange(s)):
		return "salary"
	}
	return ""
}

func (r *reader) addJobSign(s sign) {
	text := s.text
	if s.name == "remote" {
		r.addLabelled(s.node, "workplace type", text)
		if m := remoteText().FindStringSubmatch(text); onSite[strings.ToLower(m[1])] {
			text = "no"
		} else {
			text = "yes"
		}
	}
	r.addLabelled(s.node, s.name, text)
}

// jobLetters are the bytes that those texts begin with, in lower case.
var jobLetters = func() (t [256]bool) {
	for _, c := range "ptfuvjmdciawrohbl1" {
		t[byte(c)|0x20] = true
	}
	t['t'], t[0xC3|0x20] = true, true
	return t
}()

var onSite = setOf("onsite on-site")

// jobNames are labels of which only an offer of work has one.
var jobNames = []string{"deadline", "company", "employer", "salary", "closing date", "application deadline", "job type", "employment type", "arbeitgeber", "bewerbungsfrist", "gehalt", "employeur", "salaire", "empresa", "salario", "azienda", "stipendio", "werkgever", "salaris", "apply by", "job title", "department"}

// hasLabelled reports whether the page has a value with such a label.
func (r *reader) hasLabelled(name string) bool {
	e := r.parts[0].entity
	for i := range e.Fields {
		r.Meter.Step(1)
		if f := &e.Fields[i]; strings.EqualFold(f.Name, name) {
			for _, v := range f.Values {
				if v.Source == graph.Label || v.Source == graph.Definition || v.Source == graph.Table {
					return true
				}
			}
		}
	}
	return false
}

// payRange adds the ends of a range of pay behind a label.
func (r *reader) payRange(part int, v graph.Value) {
	m := rangeText().FindStringSubmatch(cut(v.Text, maxPattern))
	if m == nil || len(v.Text) > maxPattern {
		return
	}
	for k, name := range [...]string{"salary min", "salary max"} {
		end := v
		end.Text, end.Shown = strings.TrimSpace(m[k+1]), v.Text
		r.add(part, name, end)
	}
}
