package blocks

import (
	"strings"
	"unicode/utf8"
)

// phraseKinds is how many kinds of phrases there are.
const phraseKinds = 20

// phrases are words that short blocks beside the content are made of, one line
// a kind, most in English, the commonest also in other languages. Those from
// firstPerson on tell who speaks, and to whom.
var phrases = [phraseKinds]string{
	"cookie cookies privacy terms conditions rights reserved policy copyright gdpr disclaimer accessibility sitemap datenschutz impressum agb confidentialité mentions légales privacidad términos condiciones privacidade termos informativa voorwaarden",
	"share facebook twitter linkedin pinterest whatsapp instagram tweet follow youtube tiktok reddit telegram teilen partager compartir compartilhar condividi delen поделиться",
	"subscribe newsletter signup email inbox updates subscribed abonnieren abonnez inscrivez suscríbete inscreva iscriviti",
	"login log sign register account password username forgot logout anmelden einloggen registrieren connexion inscription iniciar entrar accedi inloggen войти",
	"menu search skip home contact navigation toggle close open language menü suche suchen rechercher buscar cerca zoeken меню поиск",
	"reply replies quote like likes report thread posts joined member members reactions messages quoted edited upvote downvote antworten antwort beitrag zitat répondre responder respuesta risposta ответить",
	"more view all show see load read learn browse explore mehr alle weiterlesen lire suite voir ver más leer leggi mais lees подробнее",
	"next previous prev page newer older back first last weiter zurück nächste vorherige suivant précédent siguiente anterior próximo successivo volgende",
	"cart buy checkout wishlist basket add quantity stock shipping sku delivery returns price warenkorb kaufen preis panier ajouter prix carrito comprar precio carrinho preço carrello prezzo winkelwagen корзину купить цена",
	"related recommended popular trending latest similar recent also might customers viewed bought suggested ähnliche verwandte beliebte neueste similaires connexes populaires relacionados recientes populares correlati simili gerelateerd похожие популярные",
	"by author published updated posted written editor staff reviewed modified min von veröffentlicht aktualisiert publié auteur publicado autor pubblicato autore geplaatst опубликовано автор",
	"advertisement sponsored advertisements ad ads affiliate promoted anzeige werbung publicité publicidad publicidade pubblicità advertentie реклама",
	"description details specifications features overview ingredients specification dimensions material weight size beschreibung eigenschaften technische daten caractéristiques descripción características descrição descrizione caratteristiche omschrijving kenmerken описание характеристики",
	"review reviews rating ratings stars verified helpful bewertung bewertungen rezensionen avis notes reseñas opiniones avaliações recensioni beoordelingen отзывы",
	"january february march april may june july august september october november december jan feb mar apr jun jul aug sep oct nov dec ago hours days weeks months yesterday today januar februar märz mai juni juli oktober dezember janvier février avril juin juillet août septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
	"comment comments leave discussion write print save download bookmark copy link permalink kommentar kommentare kommentieren commentaire commentaires comentario comentarios comentários commenti reacties комментарии",
	"faq faqs frequently questions fragen preguntas domande perguntas veelgestelde вопросы",
	"i my me i'm i've mine myself im ich mein je mon yo mi eu meu io mio",
	"we our us ours wir unser nous notre nosotros nuestro nós nosso noi nostro",
	"you your yours du sie ihr vous votre tú usted su você seu tu tuo",
}

// firstPerson is the first kind that is no sign of what stands beside content.
const firstPerson = 17

var phraseOf = func() map[string]uint32 {
	kinds := map[string]uint32{}
	for i, line := range phrases {
		for word := range strings.FieldsSeq(line) {
			kinds[word] |= 1 << i
			phraseShapes.add(word)
		}
	}
	return kinds
}()

// A shapes holds the lengths of words by their first byte: most words that a
// page says are told from those of a set by it.
type shapes [256]uint32

var phraseShapes shapes

func (s *shapes) add(word string) { s[word[0]] |= 1 << (len(word) % 32) }

func (s *shapes) mayHold(word []byte) bool { return s[word[0]]>>(len(word)%32)&1 != 0 }

// shortBlock is the words up to which a block is searched for phrases.
const shortBlock = 24

// eachWord calls do with the words of a text in small letters, at most limit
// of them.
func eachWord(text string, limit int, do func(word []byte)) {
	var word [32]byte
	n := 0
	for i := 0; i <= len(text) && limit > 0; i++ {
		if i < len(text) && (text[i] >= utf8.RuneSelf || isLetter(text[i]) || '0' <= text[i] && text[i] <= '9') {
			if n < len(word) {
				word[n] = text[i]
				if isUpper(text[i]) {
					word[n] |= 0x20
				}
				n++
			}
			continue
		}
		if n > 0 {
			do(word[:n])
			limit--
		}
		n = 0
	}
}

func phraseKindsOf(word []byte) uint32 {
	if !phraseShapes.mayHold(word) {
		return 0
	}
	return phraseOf[string(word)]
}

// spoken is what the words of a block say.
type spoken struct {
	kinds    uint32
	hits     int // words of any kind
	inTitle  int
	inAuthor int
	words    int
	// inData and inSummary count runs of three words that the page's JSON-LD
	// and its description hold too.
	inData, inSummary int
}

// listen reads the first words of a block.
func (p *Page) listen(i int) spoken {
	var s spoken
	limit := shortBlock
	var run trigram
	for _, t := range p.Texts(i) {
		if limit <= 0 {
			break
		}
		before := s.words
		eachWord(t.Data, limit, func(w []byte) {
			s.words++
			if k := phraseKindsOf(w); k != 0 {
				s.kinds |= k
				if k&(1<<firstPerson-1) != 0 {
					s.hits++
				}
			}
			if p.facts.titleShapes.mayHold(w) && p.facts.title[string(w)] {
				s.inTitle++
			}
			if p.facts.authorShapes.mayHold(w) && p.facts.author[string(w)] {
				s.inAuthor++
			}
			if h := run.next(w); s.words >= 3 {
				s.inData += p.facts.data.has(h)
				s.inSummary += p.facts.summary.has(h)
			}
		})
		limit -= s.words - before
	}
	p.step(1 + s.words/8)
	return s
}
