package names

import "strings"

// typeLists are what people call the types of schema.org.
var typeLists = [][2]string{
	{"Product", "product produkt produkte produits productos prodotti produtos producten produit producto prodotto produto item artikel article ware IndividualProduct ProductModel ProductGroup SomeProducts Vehicle Car"},
	{"Recipe", "recipe rezept rezepte ricette recette receta ricetta receita recept"},
	{"JobPosting", "job jobposting position vacancy opening stelle stellen stellenangebote stellenanzeige stellenangebot job emploi offre offredemploi empleo trabajo lavoro vaga vacature"},
	{"Event", `event veranstaltung veranstaltungen eventi evenement evento concert konzert MusicEvent BusinessEvent TheaterEvent SportsEvent EducationEvent Festival SocialEvent
		ExhibitionEvent ScreeningEvent ComedyEvent DanceEvent ChildrensEvent FoodEvent LiteraryEvent VisualArtsEvent termin`},
	{"Article", `article artikel post beitrage artikeln articoli articulos blogpost story news articulo articolo artigo beitrag NewsArticle BlogPosting TechArticle ScholarlyArticle Report
		SocialMediaPosting AnalysisNewsArticle OpinionNewsArticle ReportageNewsArticle LiveBlogPosting entry`},
	{"Person", "person people profile persona pessoa persoon member team employee speaker mitarbeiter Patient Physician"},
	{"Organization", `organization organisation company firma unternehmen entreprise empresa azienda bedrijf business shop store Corporation LocalBusiness
		Restaurant NGO EducationalOrganization CollegeOrUniversity Store OnlineStore Hotel Dentist MedicalBusiness ProfessionalService NewsMediaOrganization GovernmentOrganization`},
	{"FAQPage", "faqpage QAPage"},
	{"Question", "question faq faqs frage fragen preguntas domande vragen pregunta domanda pergunta vraag qa mainEntity"},
	{"BreadcrumbList", "breadcrumb breadcrumbs breadcrumblist"},
	{"ListItem", "listitem crumb"},
	{"Review", "review bewertung bewertungen recensioni rezension avis resena recensione avaliacao beoordeling UserReview CriticReview testimonial"},
	{"Course", "course kurs cours curso corso cursus"},
	{"Book", "book buch livre libro livro boek Audiobook"},
	{"Movie", "movie film pelicula filme"},
	{"VideoObject", "video clip VideoObject"},
	{"ImageObject", "image picture photo"},
	{"Offer", "offer angebot offre oferta offerta AggregateOffer variant"},
	{"AggregateRating", "rating aggregaterating"},
	{"Place", "place location venue ort lieu lugar luogo"},
	{"PostalAddress", "address adresse"},
	{"RealEstateListing", "realestate realestatelisting property house apartment immobilie wohnung haus House Apartment SingleFamilyResidence Residence Accommodation listing"},
	{"SoftwareApplication", "app application software MobileApplication WebApplication SoftwareSourceCode"},
	{"HowTo", "howto tutorial guide"},
	{"HowToStep", "step"},
	{"Comment", "comment kommentar kommentare commentaire comentario commento"},
	{"DiscussionForumPosting", "thread discussion forumpost topic"},
	{"WebPage", "page webpage website ItemPage AboutPage ContactPage CollectionPage ProfilePage"},
	{"NutritionInformation", "nutrition"},
	{"MusicAlbum", "album"}, {"MusicRecording", "song track"},
	{"Podcast", "podcast PodcastSeries PodcastEpisode episode"},
	{"Dataset", "dataset"},
}

// families are, by key of a word or a type, the types that it may mean.
var families = func() map[string][]string {
	m := map[string][]string{}
	for _, l := range typeLists {
		for w := range strings.FieldsSeq(l[0] + " " + l[1]) {
			addConcept(m, stem(strings.ToLower(w)), l[0])
		}
	}
	for class, family := range microformats {
		m[class] = []string{family}
	}
	return m
}()

// microformats are the types of microformats2.
var microformats = map[string]string{
	"h-product": "Product", "h-recipe": "Recipe", "h-event": "Event", "h-entry": "Article", "h-card": "Person", "h-review": "Review",
	"h-adr": "PostalAddress", "h-review-aggregate": "AggregateRating", "h-resume": "Person", "h-item": "Product", "h-listing": "Offer",
}

// typeFamilies are, by the type in lower case, the kinds of things that the types
// of schema.org and microformats2 are.
var typeFamilies = func() map[string][]string {
	m := map[string][]string{}
	for _, l := range typeLists {
		for w := range strings.FieldsSeq(l[0] + " " + l[1]) {
			if w[0] >= 'A' && w[0] <= 'Z' {
				addConcept(m, strings.ToLower(w), l[0])
			}
		}
	}
	for class, family := range microformats {
		m[class] = []string{family}
	}
	return m
}()

// TypeFamilies returns the kinds of things that a type is: NewsArticle is an
// Article. Unlike [Families] it knows types alone, not what people call them.
func TypeFamilies(name string) []string { return typeFamilies[strings.ToLower(name)] }

// Families returns the kinds of things that a type or a name may mean:
// NewsArticle is an Article, "jobs" are JobPostings.
func Families(name string) []string {
	if found := families[stem(strings.ToLower(name))]; found != nil {
		return found
	}
	words := Words(name)
	if len(words) == 0 {
		return nil
	}
	if found := families[stem(strings.Join(words, ""))]; found != nil {
		return found
	}
	return families[stem(words[len(words)-1])]
}
