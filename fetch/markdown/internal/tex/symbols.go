package tex

import "strings"

// commands are those characters that have a command, or are written in ASCII.
var commands = func() map[rune]string {
	m := map[rune]string{'−': "-", '–': "-", '∗': "*", '′': "'", '″': "''", '‴': "'''", '∶': ":", 'µ': `\mu`, '⁄': "/", '∕': "/", 'ℎ': "h", 'ı': `\imath`,
		'\u2061': "", '\u2062': "", '\u2063': "", '\u2064': "", '…': `\ldots`}
	for pair := range strings.FieldsSeq(table) {
		r := []rune(pair)
		m[r[0]] = `\` + string(r[1:])
	}
	for style, letters := range map[string]string{`\mathbb`: "ℂCℍHℕNℙPℚQℝRℤZ", `\mathcal`: "ℬBℰEℱFℋHℐIℒLℳMℛRℯeℊgℴo", `\mathfrak`: "ℭCℌHℑIℜRℨZ"} {
		r := []rune(letters)
		for i := 0; i < len(r); i += 2 {
			m[r[i]] = style + "{" + string(r[i+1]) + "}"
		}
	}
	return m
}()

// table holds characters, each with the name of its command.
const table = `αalpha βbeta γgamma δdelta εvarepsilon ϵepsilon ζzeta ηeta θtheta ϑvartheta ιiota κkappa λlambda μmu νnu ξxi πpi ϖvarpi ρrho ϱvarrho
σsigma ςvarsigma τtau υupsilon φvarphi ϕphi χchi ψpsi ωomega ΓGamma ΔDelta ΘTheta ΛLambda ΞXi ΠPi ΣSigma ΥUpsilon ΦPhi ΨPsi ΩOmega ΩOmega ∆Delta
×times ÷div ·cdot ⋅cdot ∙bullet •bullet ±pm ∓mp ∘circ ⊕oplus ⊗otimes ⊖ominus ⊙odot ⋆star ∖setminus ∧wedge ∨vee ∩cap ∪cup ⊎uplus ⊓sqcap ⊔sqcup †dagger ‡ddagger
≤leq ≥geq ≦leqq ≧geqq ⩽leqslant ⩾geqslant ≠neq ≡equiv ≢not\equiv ≈approx ≅cong ∼sim ≃simeq ≪ll ≫gg ∝propto ≺prec ≻succ ⪯preceq ⪰succeq ≐doteq ≜triangleq ≔coloneqq
∈in ∉notin ∋ni ⊂subset ⊃supset ⊆subseteq ⊇supseteq ⊊subsetneq ⊄not\subset ⊥perp ∥parallel ∦nparallel ∣mid ∤nmid ⊢vdash ⊨models ⊣dashv ∅emptyset ⌀emptyset
∀forall ∃exists ∄nexists ¬neg ∞infty ∂partial ∇nabla ∠angle ∡measuredangle △triangle □square ◻square ∎blacksquare ℏhbar ℓell ℘wp ℵaleph °degree ∴therefore ∵because √surd
∑sum ∏prod ∐coprod ∫int ∬iint ∭iiint ∮oint ⋂bigcap ⋃bigcup ⋀bigwedge ⋁bigvee ⨁bigoplus ⨂bigotimes ⨀bigodot ⨆bigsqcup
→to ←leftarrow ↔leftrightarrow ⇒Rightarrow ⇐Leftarrow ⇔Leftrightarrow ⟹implies ⟸impliedby ⟺iff ⟶longrightarrow ⟵longleftarrow ↦mapsto ⟼longmapsto ↑uparrow ↓downarrow ↪hookrightarrow
⇀rightharpoonup ⇌rightleftharpoons ↗nearrow ↘searrow ↠twoheadrightarrow ⇝rightsquigarrow
⟨langle ⟩rangle 〈langle 〉rangle ⌊lfloor ⌋rfloor ⌈lceil ⌉rceil ‖| ∥parallel ⋯cdots ⋮vdots ⋱ddots`

// alphabets are the commands of the letters from U+1D400 on, 52 of each, and
// greeks and digits those of the alphabets behind them.
var (
	alphabets = []string{`\mathbf`, "", `\boldsymbol`, `\mathcal`, `\mathcal`, `\mathfrak`, `\mathbb`, `\mathfrak`, `\mathsf`, `\mathsf`, `\mathsf`, `\mathsf`, `\mathtt`}
	greeks    = []string{`\boldsymbol`, "", `\boldsymbol`, `\boldsymbol`, `\boldsymbol`}
	digits    = []string{`\mathbf`, `\mathbb`, `\mathsf`, `\mathsf`, `\mathtt`}
)

// greek are the characters of one of the greek alphabets.
var greek = []rune("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΘΣΤΥΦΧΨΩ∇αβγδεζηθικλμνξοπρςστυφχψω∂ϵϑϰϕϱϖ")

// styled returns a mathematical letter or digit (Unicode, U+1D400 to U+1D7FF)
// as one that is set in its alphabet.
func styled(r rune) string {
	var style, base string
	switch i := int(r - 0x1D400); {
	case i < 13*52:
		style = alphabets[i/52]
		if i %= 52; i < 26 {
			base = string(rune('A' + i))
		} else {
			base = string(rune('a' + i - 26))
		}
	case r >= 0x1D7CE:
		style, base = digits[(r-0x1D7CE)/10], string(rune('0'+(r-0x1D7CE)%10))
	case r >= 0x1D6A8 && r < 0x1D7CA:
		style, base = greeks[(r-0x1D6A8)/58], string(greek[(r-0x1D6A8)%58])
		if name := commands[[]rune(base)[0]]; name != "" {
			base = name
		}
	default:
		return string(r)
	}
	if style == "" {
		return base
	}
	return style + "{" + base + "}"
}
