package track

import "testing"

func TestPasses(t *testing.T) {
	v := func(version string) Version {
		return Version{Object: Object{Resource: facts}, ResourceVersion: version}
	}
	o := owner("o")
	tests := map[string]struct {
		news, answers []string
		again         bool
	}{
		"nothing":                     {nil, nil, false},
		"own write":                   {[]string{"5"}, []string{"5"}, false},
		"own writes":                  {[]string{"5", "7"}, []string{"5", "7"}, false},
		"answer only":                 {nil, []string{"5"}, false},
		"foreign write":               {[]string{"6"}, nil, true},
		"foreign write between":       {[]string{"5", "6", "7"}, []string{"5", "7"}, true},
		"foreign write, then our own": {[]string{"6"}, []string{"7"}, true},
	}
	for name, tt := range tests {
		p := NewPasses()
		p.Begin(o)
		for _, n := range tt.news {
			if !p.News(o, v(n)) {
				t.Errorf("%s: news are not held back during a pass", name)
			}
		}
		for _, a := range tt.answers {
			p.Answer(o, v(a))
		}
		if again := p.End(o); again != tt.again {
			t.Errorf("%s: again %v, want %v", name, again, tt.again)
		}
		if p.News(o, v("9")) {
			t.Errorf("%s: news are held back after the pass", name)
		}
	}
}
