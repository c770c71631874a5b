package console

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
)

// policy lets a page load nothing but what the console itself serves, and no script or style within it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// headers are those of every answer.
var headers = map[string]string{
	"Content-Security-Policy":      policy,
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Cache-Control":                "no-store",
}

// secrets are what lets a browser in.
type secrets struct {
	token   string // of the printed URL
	session string // of the cookie
}

func newSecrets() (secrets, error) {
	token, err := randomText()
	if err != nil {
		return secrets{}, err
	}
	session, err := randomText()
	return secrets{token: token, session: session}, err
}

func randomText() (string, error) {
	data := make([]byte, 32)
	if _, err := rand.Read(data); err != nil {
		return "", fmt.Errorf("making a token: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(data), nil
}

// guard stands before everything else.
type guard struct {
	secrets
	hosts  []string // that a request may be for; another one is some other site's name for this machine
	cookie string   // its name; cookies are shared by all ports of a host, so it carries the port
	next   http.Handler
}

// ServeHTTP refuses what is not meant for the console, exchanges the token, and lets through who has the cookie.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	switch {
	case !slices.Contains(g.hosts, r.Host):
		http.Error(w, "This is not the address of the console.", http.StatusMisdirectedRequest)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "The console only shows.", http.StatusMethodNotAllowed)
	case r.URL.Query().Has("token"):
		g.exchange(w, r)
	case !g.isKnown(r):
		http.Error(w, "Open the URL that plait console has printed: it holds the token.", http.StatusForbidden)
	default:
		g.next.ServeHTTP(w, r)
	}
}

// exchange gives the cookie for the token, and takes the token out of the address.
func (g *guard) exchange(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if !isSame(query.Get("token"), g.token) {
		http.Error(w, "That token is not of this console: open the URL that plait console has printed.", http.StatusForbidden)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: g.cookie, Value: g.session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	query.Del("token")
	target := *r.URL
	target.RawQuery, target.Host, target.Scheme = query.Encode(), "", ""
	if len(target.Path) > 1 && (target.Path[1] == '/' || target.Path[1] == '\\') {
		target.Path = "/"
	}
	http.Redirect(w, r, target.RequestURI(), http.StatusSeeOther)
}

func (g *guard) isKnown(r *http.Request) bool {
	cookie, err := r.Cookie(g.cookie)
	return err == nil && isSame(cookie.Value, g.session)
}

func isSame(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
