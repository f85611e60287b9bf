package blocks

import (
	"strings"
	"unicode/utf8"
)

// phraseKinds is how many kinds of phrases there are.
const phraseKinds = 16

// phrases are words that short blocks beside the content are made of, one line
// a kind. English ones, and those that the web has carried elsewhere.
var phrases = [phraseKinds]string{
	"cookie cookies privacy terms conditions rights reserved policy copyright gdpr disclaimer accessibility sitemap",
	"share facebook twitter linkedin pinterest whatsapp instagram tweet follow youtube tiktok reddit telegram",
	"subscribe newsletter signup email inbox updates subscribed",
	"login log sign register account password username forgot logout",
	"menu search skip home contact navigation toggle close open language",
	"reply replies quote like likes report thread posts joined member members reactions messages quoted edited upvote downvote",
	"more view all show see load read learn browse explore",
	"next previous prev page newer older back first last",
	"cart buy checkout wishlist basket add quantity stock shipping sku delivery returns price",
	"related recommended popular trending latest similar recent also might customers viewed bought suggested",
	"by author published updated posted written editor staff reviewed modified min",
	"advertisement sponsored advertisements ad ads affiliate promoted",
	"description details specifications features overview ingredients specification dimensions material weight size",
	"review reviews rating ratings stars verified helpful",
	"january february march april may june july august september october november december jan feb mar apr jun jul aug sep oct nov dec ago hours days weeks months yesterday today",
	"comment comments leave discussion write print save download bookmark copy link permalink",
}

var phraseOf = func() map[string]uint16 {
	kinds := map[string]uint16{}
	for i, line := range phrases {
		for word := range strings.FieldsSeq(line) {
			kinds[word] |= 1 << i
		}
	}
	return kinds
}()

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

// spoken is what the words of a block say.
type spoken struct {
	kinds   uint16
	hits    int // words of any kind
	inTitle int
	words   int
}

// listen reads the first words of a block.
func (p *Page) listen(i int) spoken {
	var s spoken
	limit := shortBlock
	for _, t := range p.Texts(i) {
		if limit <= 0 {
			break
		}
		before := s.words
		eachWord(t.Data, limit, func(w []byte) {
			s.words++
			if k := phraseOf[string(w)]; k != 0 {
				s.kinds |= k
				s.hits++
			}
			if p.facts.title[string(w)] {
				s.inTitle++
			}
		})
		limit -= s.words - before
	}
	p.step(1 + s.words/8)
	return s
}
