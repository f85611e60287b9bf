package demosite

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func visit(t *testing.T) (get func(path string) (int, string), signIn func(password string) (int, string)) {
	t.Helper()
	server := httptest.NewServer(New())
	t.Cleanup(server.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := server.Client()
	client.Jar = jar
	read := func(resp *http.Response, err error) (int, string) {
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, resp.Request.URL.Path + "\n" + string(body)
	}
	get = func(path string) (int, string) { return read(client.Get(server.URL + path)) }
	signIn = func(password string) (int, string) {
		return read(client.PostForm(server.URL+"/login", url.Values{"email": {Email}, "password": {password}}))
	}
	return get, signIn
}

func TestCatalogueIsForMembers(t *testing.T) {
	get, signIn := visit(t)
	if _, page := get("/catalogue"); !strings.HasPrefix(page, "/login\n") {
		t.Error("a stranger sees the catalogue")
	}
	if status, page := signIn("wrong"); status != http.StatusUnauthorized || !strings.Contains(page, "is wrong") {
		t.Errorf("wrong password: %d", status)
	}
	if status, page := signIn(Password); status != http.StatusOK || !strings.HasPrefix(page, "/catalogue\n") {
		t.Errorf("right password: %d %.40s", status, page)
	}
	if _, list := get("/api/products"); !strings.Contains(list, "LMP-1042") {
		t.Error("no products")
	}
}

func TestEveryProductHasItsPage(t *testing.T) {
	get, _ := visit(t)
	for _, p := range products {
		status, page := get("/products/" + p.Slug)
		if status != http.StatusOK || !strings.Contains(page, p.SKU) || !strings.Contains(page, p.Price()) {
			t.Errorf("%s: %d", p.Slug, status)
		}
	}
	if _, sheet := get("/products/post-rack/sheet"); !strings.Contains(sheet, "STO-0502,Post rack,€29.75,640") {
		t.Errorf("data sheet: %s", sheet)
	}
	if status, _ := get("/products/none/sheet"); status != http.StatusNotFound {
		t.Errorf("data sheet of an unknown product: %d", status)
	}
	if status, _ := get("/products/none"); status != http.StatusNotFound {
		t.Errorf("unknown product: %d", status)
	}
	if status, page := get("/"); status != http.StatusOK || !strings.Contains(page, products[0].Name) {
		t.Errorf("home: %d", status)
	}
}
