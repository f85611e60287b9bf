package names

import "strings"

// conceptLists are the words for one thing, under the name that schema.org has
// for it. Words are separated by spaces; those of a name of several words are
// written together. They stand as keys: lower case, no accents.
var conceptLists = concat(generalConcepts, commerceConcepts, workConcepts, placeConcepts)

func concat(lists ...[][2]string) (all [][2]string) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// concepts are those of a key, in the order of the lists.
var concepts = func() map[string][]string {
	m := map[string][]string{}
	for _, entry := range conceptLists {
		concept := entry[0]
		for w := range strings.FieldsSeq(strings.ToLower(concept) + " " + entry[1]) {
			addConcept(m, w, concept)
			addConcept(m, stem(w), concept)
		}
	}
	return m
}()

// standard are the names of the concepts themselves.
var standard = func() map[string]bool {
	m := map[string]bool{}
	for _, entry := range conceptLists {
		m[entry[0]] = true
	}
	return m
}()

// IsConcept reports whether a name is the one that schema.org has for a concept.
func IsConcept(name string) bool { return standard[name] }

func addConcept(m map[string][]string, key, concept string) {
	for _, c := range m[key] {
		if c == concept {
			return
		}
	}
	m[key] = append(m[key], concept)
}

var generalConcepts = [][2]string{
	{"name", `h1 title titel titre titulo titolo nombre nome naam nom bezeichnung itemname denomination denominacion denominazione produktname
		recipename productname productnaam recipetitle producttitle displayname label uberschrift rezeptname titulodelareceta intitule`},
	{"headline", "h1 title titel titre titulo titolo headline overskrift schlagzeile heading articletitle articleheadline pagetitle uberschrift intitule"},
	{"alternativeHeadline", "subtitle subheadline subheading untertitel soustitre subtitulo sottotitolo dek standfirst"},
	{"alternateName", "alternatename aka alsoknownas altname"},
	{"legalName", "legalname companyname officialname registeredname"},
	{"description", `summary abstract excerpt beschreibung description descripcion descrizione descricao beschrijving omschrijving zusammenfassung
		resume resumen sommario riassunto resumo teaser blurb overview synopsis shortdescription snippet intro lead about desc metadescription kurzbeschreibung`},
	{"articleBody", "body content text articletext fulltext articlebody maintext inhalt contenu contenido contenuto conteudo inhoud volltext artikeltext texto testo texte"},
	{"text", "text body content message comment reviewtext texto testo texte"},
	{"department", "department abteilung afdeling departement departamento dipartimento"},
	{"note", "notes remarks remark anmerkungen hinweise notizen remarques observaciones annotazioni opmerkingen recipenotes"},
	{"category", "categories kategorie kategorien categorie categoria categorias genre section productcategory typ"},
	{"articleSection", "section rubrik rubrique seccion sezione secao rubriek ressort category topic"},
	{"wordCount", "words wordcount"},
	{"url", "link href permalink uri weburl pageurl producturl recipeurl detailurl webaddress adresseweb enlace lien collegamento canonicalurl canonical"},
	{"mainEntityOfPage", "mainentityofpage canonical canonicalurl"},
	{"sameAs", "sameas sociallinks socialprofiles profiles socialmedia social"},
	{"image", `images picture pictures photo photos img imageurl imageurls pictureurl photourl bild bilder foto fotos abbildung imagen imagenes
		immagine immagini imagem imagens afbeelding afbeeldingen cover coverimage heroimage mainimage productimage featuredimage bildurl poster posterurl`},
	{"thumbnailUrl", "thumbnail thumb vorschaubild miniature miniatura preview previewimage thumbnailimage"},
	{"logo", "logo logourl"},
	{"author", `authors writer writers by byline authorname autor autoren auteur auteurs autore autori autores schrijver verfasser creator
		username poster membername postedby writtenby publishedby von par por redacteur`},
	{"creator", "creator creators maker artist"},
	{"editor", "editor"},
	{"publisher", "publisher publishername sitename verlag herausgeber editeur editorial editore editora uitgever source quelle"},
	{"isPartOf", "sitename website series"},
	{"datePublished", `date published publishedat publishdate publisheddate publicationdate pubdate datepublished publishedon publishedtime
		veroffentlicht veroffentlichungsdatum veroffentlichtam erscheinungsdatum datum publicationdatum datepublication datedepublication publiele publie fecha fechapublicacion
		fechadepublicacion publicado data datapubblicazione datadipubblicazione pubblicato datapublicacao datadepublicacao publicatiedatum gepubliceerd releasedate posted postedat postedon published created`},
	{"dateModified", `modified modifiedat modifieddate lastmodified updated updatedat updateddate lastupdated lastupdate updatedon modifieddatetime modifiedtime aktualisiert
		aktualisiertam geandert anderungsdatum letzteaktualisierung misajour misajourle datedemiseajour modifiele actualizado fechaactualizacion fechadeactualizacion aggiornato aggiornatoil dataaggiornamento atualizado dataatualizacao bijgewerkt`},
	{"dateCreated", "created createdat creationdate datecreated createdon erstellt erstelltam"},
	{"uploadDate", "uploaded uploadedat uploaddate date published"},
	{"dateline", "dateline"},
	{"inLanguage", "language lang sprache langue idioma lingua taal locale languages contentlanguage"},
	{"keywords", "tags keyword tag labels schlagworter schlagworte stichworter stichworte motscles etiquetas palabrasclave parolechiave palavraschave trefwoorden topics"},
	{"genre", "genres genre category"},
	{"identifier", "id identifier itemid reference ref refno referencenumber referenz kennung"},
	{"comment", "comments commentlist kommentare commentaires comentarios commenti reacties replies answers"},
	{"commentCount", "comments commentscount numcomments commentcount numberofcomments anzahlkommentare replies replycount"},
	{"interactionCount", "views viewcount interactioncount numviews playcount"},
	{"copyrightYear", "copyrightyear"},
	{"license", "license licence lizenz"},
	{"version", "version softwareversion"},
	{"position", "position rank index order step stepnumber"},
	{"breadcrumb", "breadcrumbs breadcrumb breadcrumblist brotkrumen brotkrumel filariane migasdepan breadcrumbtrail navigationpath path trail"},
	{"itemListElement", "items elements entries list results itemlist ergebnisse resultats resultados risultati resultaten"},
	{"mainEntity", "questions faq faqs qa qanda questionsandanswers fragen haufigefragen preguntas domande perguntas vragen"},
	{"question", "question frage pregunta domanda pergunta vraag name questiontext"},
	{"acceptedAnswer", "answer answers antwort antworten reponse reponses respuesta respuestas risposta risposte resposta respostas antwoord answertext"},
	{"suggestedAnswer", "answers suggestedanswers"},
	{"review", "reviews customerreviews bewertungen rezensionen kundenbewertungen avis resenas opiniones recensioni avaliacoes beoordelingen opinions testimonials"},
	{"reviewBody", "reviewtext body text review content comment bewertungstext texto testo texte comentario"},
	{"reviewRating", "rating stars score bewertung note puntuacion valutazione beoordeling estrellas stelle sterren etoiles estrelas"},
	{"itemReviewed", "itemreviewed revieweditem subject product reviewedproduct"},
	{"aggregateRating", "rating ratings stars bewertung evaluation calificacion valutazione avaliacao beoordeling aggregaterating"},
	{"ratingValue", `rating stars score averagerating ratingscore avgrating ratingaverage bewertung durchschnittsbewertung sterne note notemoyenne calificacion valoracion puntuacion valutazione
		voto avaliacao classificacao beoordeling waardering userrating starrating overallrating customerrating ratingvalue averagescore gesamtbewertung evaluation estrellas stelle sterren etoiles estrelas`},
	{"ratingCount", "ratings ratingscount numratings numberofratings ratingcount votes votecount numvotes numberofvotes anzahlbewertungen bewertungsanzahl anzahlderbewertungen totalratings"},
	{"reviewCount", `reviewscount numreviews numberofreviews reviewcount totalreviews reviews ratingscount anzahlbewertungen anzahlrezensionen anzahlderbewertungen bewertungsanzahl nombredavis nombreavis nombredeavis numeroresenas
		numeroderesenas numerodeopiniones numerorecensioni numerodirecensioni numeroavaliacoes numerodeavaliacoes aantalbeoordelingen aantalreviews`},
	{"bestRating", "maxrating bestrating outof ratingscale ratingmax"},
	{"worstRating", "minrating worstrating"},
	{"givenName", "firstname givenname vorname prenom nombrepropio nomedibattesimo primeironome voornaam"},
	{"familyName", "lastname surname familyname nachname familienname nomdefamille apellido apellidos cognome sobrenome achternaam"},
	{"jobTitle", "jobtitle role position occupation profession beruf funktion poste fonction cargo puesto ruolo funcao functie title titel berufsbezeichnung"},
	{"worksFor", "company employer worksfor organization organisation affiliation arbeitgeber employeur empresa azienda werkgever firma entreprise"},
	{"affiliation", "affiliation organization organisation"},
	{"alumniOf", "alumniof education university school ausbildung formation educacion"},
	{"birthDate", "birthdate born dateofbirth birthday dob geburtsdatum geboren datedenaissance fechadenacimiento datadinascita datadenascimento geboortedatum"},
	{"birthPlace", "birthplace placeofbirth geburtsort lieudenaissance lugardenacimiento luogodinascita"},
	{"nationality", "nationality nationalitat nationalite nacionalidad nazionalita"},
	{"email", "mail emailaddress contactemail mailadresse courriel correo correoelectronico emailadresse"},
	{"telephone", "phone phonenumber tel telefon telefonnummer telefono telefone telephonenumber contactphone mobile handy telefoonnummer telefoon"},
	{"faxNumber", "fax faxnumber telefax"},
	{"knowsAbout", "skills expertise knowsabout interests"},
	{"knowsLanguage", "languages spokenlanguages knowslanguage sprachen"},
	{"foundingDate", "founded foundingdate established foundedin gegrundet grundungsjahr grundung fonde fondation fundado fundacion fondato fondazione opgericht yearfounded foundingyear foundedyear yearfounded"},
	{"founder", "founder founders grunder fondateur fundador fondatore oprichter"},
	{"numberOfEmployees", "employees employeecount numberofemployees headcount mitarbeiter mitarbeiterzahl anzahlmitarbeiter effectif effectifs empleados numerodeempleados dipendenti numerodipendenti funcionarios medewerkers staff"},
	{"vatID", "vatid vat vatnumber ustid umsatzsteueridentifikationsnummer partitaiva"},
	{"taxID", "taxid taxnumber steuernummer"},
	{"openingHours", "openinghours hours businesshours offnungszeiten heuresdouverture horaires horario horarios orari orariodiapertura openingstijden openinghoursspecification"},
	{"dayOfWeek", "day days weekday weekdays dayofweek wochentag"},
	{"opens", "opensat opentime openingtime"}, {"closes", "closesat closetime closingtime"},
	{"priceRange", "pricerange preisspanne preisklasse"},
	{"areaServed", "areaserved servicearea einzugsgebiet"},
	{"contactPoint", "contact contactpoint kontakt contacto contatto"},
	{"founded", "founded"},
}
