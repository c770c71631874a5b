package console

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func guardOfATest() http.Handler {
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return guarded(next, secrets{token: "the-token", session: "the-session"}, 8099)
}

func TestGuard(t *testing.T) {
	const cookie = "plait-console-8099=the-session"
	for _, row := range []struct {
		name, method, target, host, cookie string
		status                             int
	}{
		{"with the cookie", "GET", "/", "127.0.0.1:8099", cookie, 204},
		{"by the name localhost", "HEAD", "/groups", "localhost:8099", cookie, 204},
		{"by IPv6", "GET", "/", "[::1]:8099", cookie, 204},
		{"without a cookie", "GET", "/", "127.0.0.1:8099", "", 403},
		{"with the cookie of another console", "GET", "/", "127.0.0.1:8099", "plait-console-8098=the-session", 403},
		{"with a wrong cookie", "GET", "/", "127.0.0.1:8099", "plait-console-8099=the-sessiom", 403},
		{"with an empty cookie", "GET", "/", "127.0.0.1:8099", "plait-console-8099=", 403},
		{"under another site's name", "GET", "/", "evil.example:8099", cookie, 421},
		{"under another port", "GET", "/", "127.0.0.1:80", cookie, 421},
		{"with the token under another site's name", "GET", "/?token=the-token", "evil.example", "", 421},
		{"posting", "POST", "/", "127.0.0.1:8099", cookie, 405},
		{"posting the token", "POST", "/?token=the-token", "127.0.0.1:8099", "", 405},
		{"deleting", "DELETE", "/", "127.0.0.1:8099", cookie, 405},
		{"with the token", "GET", "/?token=the-token", "127.0.0.1:8099", "", 303},
		{"with a wrong token", "GET", "/?token=another", "127.0.0.1:8099", "", 403},
		{"with an empty token", "GET", "/?token=", "127.0.0.1:8099", "", 403},
		{"with a wrong token and the cookie", "GET", "/?token=another", "127.0.0.1:8099", cookie, 403},
	} {
		r := httptest.NewRequest(row.method, row.target, nil)
		r.Host = row.host
		if row.cookie != "" {
			r.Header.Set("Cookie", row.cookie)
		}
		w := httptest.NewRecorder()
		guardOfATest().ServeHTTP(w, r)
		if w.Code != row.status {
			t.Errorf("%s: status %d, want %d", row.name, w.Code, row.status)
		}
		for name, value := range headers {
			if w.Header().Get(name) != value {
				t.Errorf("%s: the header %s is %q", row.name, name, w.Header().Get(name))
			}
		}
		if set := w.Header().Get("Set-Cookie"); (set != "") != (row.status == 303) {
			t.Errorf("%s: the cookie is %q", row.name, set)
		}
	}
}

func TestExchange(t *testing.T) {
	for target, want := range map[string]string{
		"/?token=the-token":                   "/",
		"/instances?q=a+b&token=the-token":    "/instances?q=a+b",
		"//evil.example/?token=the-token":     "/",
		"/%5Cevil.example/?token=the-token":   "/",
		"/o/a/b/c%2Fd?token=the-token&q=%3Cb": "/o/a/b/c%2Fd?q=%3Cb",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = "127.0.0.1:8099"
		parsed, err := r.URL.Parse("http://127.0.0.1:8099" + target)
		if err != nil {
			t.Fatal(err)
		}
		r.URL = parsed
		w := httptest.NewRecorder()
		guardOfATest().ServeHTTP(w, r)
		if got := w.Header().Get("Location"); got != want {
			t.Errorf("%s: leads to %q, want %q", target, got, want)
		}
		set := w.Header().Get("Set-Cookie")
		for _, part := range []string{"plait-console-8099=the-session", "HttpOnly", "SameSite=Strict", "Path=/"} {
			if !strings.Contains(set, part) {
				t.Errorf("%s: the cookie %q lacks %s", target, set, part)
			}
		}
	}
}

func TestPolicyLetsNothingInline(t *testing.T) {
	for _, forbidden := range []string{"unsafe", "*", "http:", "https:", "data:"} {
		if strings.Contains(policy, forbidden) {
			t.Errorf("the policy has %s", forbidden)
		}
	}
	one, err := newSecrets()
	if err != nil {
		t.Fatal(err)
	}
	other, err := newSecrets()
	if err != nil {
		t.Fatal(err)
	}
	if one.token == other.token || one.token == one.session || len(one.token) < 40 {
		t.Errorf("the secrets are %v and %v", one, other)
	}
}
