package console

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net"
	"net/http"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/cmd/plait/inspect"
)

//go:embed assets templates
var files embed.FS

const (
	readTime = 10 * time.Second // for the head of a request
	pageTime = 30 * time.Second // for everything that a page reads
	stopTime = 5 * time.Second  // for pages that are being written when the console stops
)

// Options are the settings of a console.
type Options struct {
	Config *rest.Config // the user's own
	Port   int          // on loopback; 0: any free one
	// Ready is told the URL with its token, once the console listens.
	Ready func(url string)
}

// server makes pages.
type server struct {
	store  *store
	hub    *hub
	graphs graphs
	pages  *template.Template
}

// Run serves the console until ctx ends.
func Run(ctx context.Context, options Options) error {
	cluster, err := inspect.NewCluster(options.Config)
	if err != nil {
		return err
	}
	known, err := newSecrets()
	if err != nil {
		return err
	}
	s, err := newServer(cluster)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(options.Port)))
	if err != nil {
		return fmt.Errorf("listening on port %d: %w", options.Port, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.store.ctx = ctx
	address := listener.Addr().(*net.TCPAddr)
	web := &http.Server{
		Handler: guarded(s.routes(), known, address.Port), ReadHeaderTimeout: readTime,
		BaseContext: func(net.Listener) context.Context { return ctx }, // ends the streams
	}
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(listener) }()
	s.store.running.Go(func() { s.warm(ctx) })
	options.Ready(fmt.Sprintf("http://%s/?token=%s", address, known.token))
	select {
	case err = <-ended:
	case <-ctx.Done():
		stop, done := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
		defer done()
		if err = web.Shutdown(stop); err == nil {
			err = <-ended
		}
	}
	cancel()
	s.store.run(ctx)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func newServer(cluster *inspect.Cluster) (*server, error) {
	pages, err := template.New("").Funcs(template.FuncMap{"stamp": stamp, "tab": newTab, "first": first}).ParseFS(files, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("reading the templates: %w", err)
	}
	s := &server{hub: newHub(), pages: pages}
	s.store = newStore(cluster, s.hub.tell)
	return s, nil
}

// warm begins to watch what the lists show, so that the first page does not wait for it. Faults show there.
func (s *server) warm(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	_, _ = s.lists(ctx)
}

// tab is a link of the navigation.
type tab struct {
	Path, Title string
	Current     bool
}

func newTab(v view, path, title string) tab { return tab{path, title, v.Path == path} }

// maxShort is how many rows the overview has of each list.
const maxShort = 12

func first(rows []row) []row { return rows[:min(len(rows), maxShort)] }

func guarded(next http.Handler, known secrets, port int) http.Handler {
	g := &guard{secrets: known, cookie: "plait-console-" + strconv.Itoa(port), next: next}
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]"} {
		g.hosts = append(g.hosts, host+":"+strconv.Itoa(port))
	}
	return g
}

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	assets, err := fs.Sub(files, "assets")
	if err == nil {
		mux.Handle("GET /assets/", http.StripPrefix("/assets/", http.FileServerFS(assets)))
	}
	mux.Handle("GET /changes", s.hub)
	mux.HandleFunc("GET /{$}", s.showOverview)
	for _, path := range []string{"/groups", instancesPath, "/connections", "/workspaces"} {
		mux.HandleFunc("GET "+path, s.showList)
	}
	mux.HandleFunc("GET /o/{resource}/{namespace}/{name}", s.showObject)
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) { s.fail(w, r, errNoPage) })
	return mux
}

// view is what every page has.
type view struct {
	Title   string
	Path    string
	Query   string
	Watched []string // paths of objects whose change changes the page; empty: all
	Lists   []section
	List    *section
	Object  *objectView
	Error   string
}

func (s *server) showOverview(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), pageTime)
	defer cancel()
	lists, err := s.lists(ctx)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.write(w, http.StatusOK, "overview.html", view{Title: "Overview", Path: "/", Lists: lists})
}

func (s *server) showList(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), pageTime)
	defer cancel()
	lists, err := s.lists(ctx)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	query := r.URL.Query().Get("q")
	for _, list := range lists {
		if list.Path == r.URL.Path {
			list = list.filtered(query)
			s.write(w, http.StatusOK, "list.html", view{Title: list.Title, Path: list.Path, Query: query, List: &list})
			return
		}
	}
	s.fail(w, r, errNoPage)
}

func (s *server) showObject(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), pageTime)
	defer cancel()
	kinds, err := s.store.Kinds(ctx)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	kind, err := kinds.Find(r.PathValue("resource"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	ref := inspect.Reference{Kind: kind, Name: r.PathValue("name")}
	if kind.Namespaced {
		ref.Namespace = r.PathValue("namespace")
	}
	shown, err := s.object(ctx, ref)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.write(w, http.StatusOK, "object.html", view{Title: shown.Item.Title(), Path: r.URL.Path, Object: shown, Watched: shown.Watched})
}

var errNoPage = errors.New("there is no such page")

// fail shows what went wrong, on a page that heals itself when the object comes.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusBadGateway
	switch {
	case errors.Is(err, errNoPage), apierrors.IsNotFound(err), errors.As(err, new(inspect.UnknownKindError)):
		status = http.StatusNotFound
	case apierrors.IsForbidden(err):
		status = http.StatusForbidden
	}
	s.write(w, status, "error.html", view{Title: "Nothing to show", Path: r.URL.Path, Error: err.Error(), Watched: []string{r.URL.Path}})
}

// write makes the page before anything is sent, so that a fault does not leave half of one.
func (s *server) write(w http.ResponseWriter, status int, name string, v view) {
	var page bytes.Buffer
	if err := s.pages.ExecuteTemplate(&page, name, v); err != nil {
		http.Error(w, "The page cannot be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes()) // who has left does not read it
}
