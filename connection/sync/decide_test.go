package sync

import (
	"testing"

	"github.com/plait-run/plait/connection/sync/mirror"
)

func TestDecide(t *testing.T) {
	// here is a settled object, and leaving one that is being deleted.
	here := situation{exists: true, held: true, copy: there, claim: mirror.Ours, made: true}
	leaving := here
	leaving.deleted = true
	with := func(s situation, change func(*situation)) situation {
		change(&s)
		return s
	}
	tests := map[string]struct {
		situation situation
		want      action
	}{
		"settled":                      {here, nothing},
		"new":                          {situation{exists: true}, hold},
		"new, a copy is there":         {with(here, func(s *situation) { s.held = false }), hold},
		"held":                         {situation{exists: true, held: true}, create},
		"held, none for certain":       {situation{exists: true, held: true, copy: absent}, create},
		"differs":                      {with(here, func(s *situation) { s.differs = true }), update},
		"of a former object":           {with(here, func(s *situation) { s.claim, s.differs = mirror.Successor, true }), update},
		"lost its marks":               {with(here, func(s *situation) { s.claim, s.differs = mirror.Recognised, true }), update},
		"copy is going":                {with(here, func(s *situation) { s.copy, s.differs = going, true }), wait},
		"nobody's":                     {with(here, func(s *situation) { s.claim = mirror.Adoptable }), conflict},
		"nobody's, may adopt":          {with(here, func(s *situation) { s.claim, s.mayAdopt = mirror.Adoptable, true }), adopt},
		"nobody's, may adopt, going":   {with(here, func(s *situation) { s.claim, s.mayAdopt, s.copy = mirror.Adoptable, true, going }), wait},
		"foreign, may adopt":           {with(here, func(s *situation) { s.claim, s.mayAdopt = mirror.Foreign, true }), conflict},
		"of another namespace":         {with(here, func(s *situation) { s.claim, s.mayAdopt = mirror.Collision, true }), conflict},
		"withdrawn, new":               {situation{exists: true, mode: Holding}, nothing},
		"withdrawn, differs":           {with(here, func(s *situation) { s.mode, s.differs = Holding, true }), nothing},
		"withdrawn, deleted":           {with(leaving, func(s *situation) { s.mode = Holding }), deleteCopy},
		"deleted":                      {leaving, deleteCopy},
		"deleted, never held":          {situation{exists: true, deleted: true}, forget},
		"deleted, no copy is known":    {with(leaving, func(s *situation) { s.copy = unseen }), confirm},
		"deleted, there is no copy":    {with(leaving, func(s *situation) { s.copy = absent }), letGo},
		"deleted, copy is going":       {with(leaving, func(s *situation) { s.copy = going }), wait},
		"deleted, foreign":             {with(leaving, func(s *situation) { s.claim = mirror.Foreign }), letGo},
		"deleted, foreign, going":      {with(leaving, func(s *situation) { s.claim, s.copy = mirror.Foreign, going }), letGo},
		"deleted, nobody's":            {with(leaving, func(s *situation) { s.claim, s.mayAdopt = mirror.Adoptable, true }), letGo},
		"deleted, adopted":             {with(leaving, func(s *situation) { s.adopted = true }), releaseCopy},
		"deleted, its user keeps it":   {with(leaving, func(s *situation) { s.orphans = true }), releaseCopy},
		"deleted, of a former object":  {with(leaving, func(s *situation) { s.claim = mirror.Successor }), deleteCopy},
		"vanished":                     {situation{copy: there, made: true}, sweep},
		"vanished, another binding's":  {situation{copy: there}, forget},
		"vanished, copy is going":      {situation{copy: going, made: true}, wait},
		"vanished with its copy":       {situation{}, forget},
		"unbound":                      {with(here, func(s *situation) { s.mode = Removing }), deleteCopy},
		"unbound, adopted":             {with(here, func(s *situation) { s.mode, s.adopted = Removing, true }), releaseCopy},
		"unbound, another binding's":   {with(here, func(s *situation) { s.mode, s.made = Removing, false }), letGo},
		"unbound, copy gone":           {with(here, func(s *situation) { s.mode, s.copy = Removing, absent }), letGo},
		"unbound, not held":            {with(here, func(s *situation) { s.mode, s.held = Removing, false }), deleteCopy},
		"unbound, done":                {situation{exists: true, mode: Removing}, forget},
		"unbound, foreign, not held":   {situation{exists: true, mode: Removing, copy: there}, forget},
		"unbound, vanished":            {situation{mode: Removing, copy: there, made: true}, sweep},
		"retained":                     {with(here, func(s *situation) { s.mode = Releasing }), letGo},
		"retained, deleted meanwhile":  {with(leaving, func(s *situation) { s.mode = Releasing }), letGo},
		"retained, done":               {situation{exists: true, mode: Releasing}, forget},
		"retained, vanished":           {situation{mode: Releasing}, forget},
		"a claim is no matter if gone": {situation{claim: mirror.Ours, copy: there}, forget},
	}
	for name, tt := range tests {
		if got := decide(tt.situation); got != tt.want {
			t.Errorf("%s: action %d, want %d", name, got, tt.want)
		}
	}
}
