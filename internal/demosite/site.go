// Package demosite is a small shop with a login, a filter that runs in the
// browser, detail pages that open in tabs of their own, too, and data sheets. "drover demo" shows an agent at work in it, and
// tests use it as a real site.
package demosite

import (
	"crypto/rand"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"sync"
)

// The account that the login takes.
const (
	Email    = "ada@example.com"
	Password = "correct-horse"
)

//go:embed pages/*
var files embed.FS

var pages = template.Must(template.ParseFS(files, "pages/*.html"))

// New returns the shop. Its sessions live in memory.
func New() http.Handler {
	s := &shop{sessions: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.home)
	mux.HandleFunc("GET /login", s.loginForm)
	mux.HandleFunc("POST /login", s.login)
	mux.HandleFunc("POST /logout", s.logout)
	mux.HandleFunc("GET /catalogue", s.members(s.catalogue))
	mux.HandleFunc("GET /api/products", s.members(s.list))
	mux.HandleFunc("GET /products/{slug}", s.product)
	mux.HandleFunc("GET /products/{slug}/sheet", s.sheet)
	mux.HandleFunc("GET /style.css", s.style)
	return mux
}

type shop struct {
	mu       sync.Mutex
	sessions map[string]bool
}

// view is what every page is made from.
type view struct {
	Title    string
	SignedIn bool
	Error    string
	Products []Product
	Product  Product
}

func (s *shop) show(w http.ResponseWriter, r *http.Request, status int, page string, v view) {
	v.SignedIn = s.signedIn(r)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = pages.ExecuteTemplate(w, page, v) // the client went away
}

func (s *shop) home(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, http.StatusOK, "home.html", view{Title: "Drove & Daughters", Products: products[:3]})
}

func (s *shop) loginForm(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, http.StatusOK, "login.html", view{Title: "Sign in"})
}

func (s *shop) login(w http.ResponseWriter, r *http.Request) {
	if r.PostFormValue("email") != Email || r.PostFormValue("password") != Password {
		s.show(w, r, http.StatusUnauthorized, "login.html", view{Title: "Sign in", Error: "Email or password is wrong."})
		return
	}
	token := rand.Text()
	s.mu.Lock()
	s.sessions[token] = true
	s.mu.Unlock()
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	http.Redirect(w, r, "/catalogue", http.StatusSeeOther)
}

func (s *shop) logout(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie(cookieName); err == nil {
		s.mu.Lock()
		delete(s.sessions, c.Value)
		s.mu.Unlock()
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: "/", MaxAge: -1})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

const cookieName = "shop_session"

func (s *shop) signedIn(r *http.Request) bool {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[c.Value]
}

// members sends whoever is not signed in to the login.
func (s *shop) members(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !s.signedIn(r) {
			http.Redirect(w, r, "/login", http.StatusSeeOther)
			return
		}
		next(w, r)
	}
}

func (s *shop) catalogue(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, http.StatusOK, "catalogue.html", view{Title: "Catalogue"})
}

func (s *shop) list(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(products) // the client went away
}

func (s *shop) product(w http.ResponseWriter, r *http.Request) {
	p, ok := find(r.PathValue("slug"))
	if !ok {
		s.show(w, r, http.StatusNotFound, "missing.html", view{Title: "Not found"})
		return
	}
	s.show(w, r, http.StatusOK, "product.html", view{Title: p.Name, Product: p})
}

// sheet is the product's data sheet, a file to keep.
func (s *shop) sheet(w http.ResponseWriter, r *http.Request) {
	p, ok := find(r.PathValue("slug"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+p.Slug+`.csv"`)
	fmt.Fprintf(w, "SKU,Name,Price,Grams\n%s,%s,%s,%d\n", p.SKU, p.Name, p.Price(), p.Grams)
}

func (s *shop) style(w http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(w, r, files, "pages/style.css")
}
