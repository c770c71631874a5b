package differ

// Report is what would change.
type Report struct {
	Group     string     `json:"group"`
	API       API        `json:"api"`
	Instances []Instance `json:"instances"` // those that change first, each part by namespace and name
	Total     int        `json:"total"`     // instances of the cluster
	Omitted   int        `json:"omitted,omitempty"`
}

// API is the served kind.
type API struct {
	Name    string   `json:"name"` // of the CustomResourceDefinition
	Kind    string   `json:"kind"`
	State   APIState `json:"state"`
	Changes []Change `json:"changes"` // breaking ones first
}

// APIState says how the API stands.
type APIState string

// The states of an API.
const (
	APINew       APIState = "New"
	APIUnchanged APIState = "Unchanged"
	APIChanged   APIState = "Changed"
)

// Change is one change of the API.
type Change struct {
	Path     string `json:"path"`
	What     string `json:"what"`
	Breaking bool   `json:"breaking"`
}

// Instance is what would change for one instance.
type Instance struct {
	Namespace string   `json:"namespace,omitempty"`
	Name      string   `json:"name"`
	As        string   `json:"as"`                // who the dry runs were made as
	Note      string   `json:"note,omitempty"`    // why not as the service account
	Invalid   []string `json:"invalid,omitempty"` // what the new API would refuse of it
	Waiting   []string `json:"waiting,omitempty"` // nodes of which nothing can be told: they wait for something
	Objects   []Object `json:"objects"`           // that change, in the order of applying; deletions last
}

// IsChanged tells whether anything would be different.
func (i Instance) IsChanged() bool { return len(i.Objects)+len(i.Invalid) > 0 }

// Object is what would happen to one object.
type Object struct {
	Node      string  `json:"node"`
	Kind      string  `json:"kind,omitempty"`
	Namespace string  `json:"namespace,omitempty"`
	Name      string  `json:"name,omitempty"`
	Action    Action  `json:"action"`
	Message   string  `json:"message,omitempty"` // why it fails
	Fields    []Field `json:"fields,omitempty"`
	Omitted   int     `json:"omitted,omitempty"` // fields beyond the limit
}

// Action is what would happen to an object.
type Action string

// The actions.
const (
	Create  Action = "Create"
	Update  Action = "Update"
	Replace Action = "Replace" // deleted and made anew
	Delete  Action = "Delete"
	Release Action = "Release" // our marks are taken off, and it stays
	Fail    Action = "Fail"    // the API server refuses it, or it cannot be evaluated
)

// Field is a field that changes. Old or New is empty when the field is not there.
type Field struct {
	Path string `json:"path"`
	Old  string `json:"old,omitempty"`
	New  string `json:"new,omitempty"`
}

// HasProblem tells of what should not be applied as it is.
func (r Report) HasProblem() bool {
	for _, c := range r.API.Changes {
		if c.Breaking {
			return true
		}
	}
	for _, i := range r.Instances {
		if len(i.Invalid) > 0 {
			return true
		}
		for _, o := range i.Objects {
			if o.Action == Fail {
				return true
			}
		}
	}
	return false
}
