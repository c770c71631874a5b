package apply

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/runtime/plan"
)

// maxServerText is how much of the API server's own words a message carries, in bytes.
const maxServerText = 400

// faultOf says what an error of the API server means for the object that was written; its message does not name the
// object. It goes by the error's type
// alone. A 403 is told apart by the caller.
func faultOf(obj plan.Object, err error) *plan.Fault {
	s, answered := statusOf(err)
	switch {
	case !answered:
		return passing(obj, err)
	case apierrors.HasStatusCause(err, "NamespaceTerminating"):
		return waiting(fmt.Sprintf("namespace %s is being deleted", obj.Key.Namespace))
	case apierrors.IsNotFound(err) && s.Details != nil && s.Details.Kind == "namespaces":
		return waiting(fmt.Sprintf("namespace %s", s.Details.Name))
	case apierrors.IsNotFound(err):
		return waiting(fmt.Sprintf("kind %s", obj.GVK.GroupKind()))
	case apierrors.IsConflict(err) && isManagerConflict(s):
		return &plan.Fault{Reason: plan.ReasonConflict, Message: conflictText(s)}
	case apierrors.IsConflict(err):
		return passing(obj, err)
	case apierrors.IsInvalid(err):
		return invalid(obj, s)
	case apierrors.IsForbidden(err):
		return &plan.Fault{Reason: plan.ReasonForbidden, Message: refusalText(obj, s)}
	case apierrors.IsBadRequest(err), apierrors.IsRequestEntityTooLargeError(err), apierrors.IsMethodNotSupported(err):
		return &plan.Fault{Reason: plan.ReasonInvalidObject, Message: serverText(obj, s)}
	default:
		return passing(obj, err)
	}
}

// statusOf gives what the API server answered; ok is false when it did not answer.
func statusOf(err error) (s metav1.Status, ok bool) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return metav1.Status{}, false
	}
	return status.Status(), true
}

// waiting is a fault that is none: what is missing may come by itself. Its node waits for subject.
func waiting(subject string) *plan.Fault {
	return &plan.Fault{Reason: plan.ReasonProgressing, Message: subject}
}

func passing(obj plan.Object, err error) *plan.Fault {
	text := err.Error()
	s, answered := statusOf(err)
	var call *url.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		text = "the API server did not answer in time"
	case errors.As(err, &call):
		text = "the API server did not answer: " + call.Err.Error()
	case answered && obj.Secret:
		text = fmt.Sprintf("the API server answered %s", s.Reason)
	}
	return &plan.Fault{
		Reason: plan.ReasonApplyError, Passing: true,
		Message: shorten(text),
	}
}

// invalid names the fields and what is wrong with them; of an object with secrets only the kind of wrong.
func invalid(obj plan.Object, s metav1.Status) *plan.Fault {
	var parts []string
	if s.Details != nil {
		for _, c := range s.Details.Causes {
			text := c.Message
			if obj.Secret {
				text = string(c.Type)
			}
			parts = append(parts, fmt.Sprintf("%s: %s", c.Field, shorten(text)))
		}
	}
	if len(parts) == 0 {
		return &plan.Fault{Reason: plan.ReasonInvalidObject, Message: serverText(obj, s)}
	}
	more := ""
	if len(parts) > 3 {
		more = fmt.Sprintf(" and %d more", len(parts)-3)
		parts = parts[:3]
	}
	return &plan.Fault{
		Reason:  plan.ReasonInvalidObject,
		Message: fmt.Sprintf("the API server refuses it: %s%s", strings.Join(parts, "; "), more),
	}
}

func isManagerConflict(s metav1.Status) bool {
	if s.Details == nil {
		return false
	}
	for _, c := range s.Details.Causes {
		if c.Type == metav1.CauseTypeFieldManagerConflict {
			return true
		}
	}
	return false
}

func conflictText(s metav1.Status) string {
	var parts []string
	for _, c := range s.Details.Causes {
		parts = append(parts, fmt.Sprintf("%s (%s)", strings.TrimPrefix(c.Field, "."), shorten(c.Message)))
	}
	return fmt.Sprintf("another field manager writes it too: %s; drop the field from the template, or set lifecycle.conflict: Force",
		strings.Join(parts, ", "))
}

func serverText(obj plan.Object, s metav1.Status) string {
	if obj.Secret {
		return fmt.Sprintf("the API server refuses it: %s", s.Reason)
	}
	return "the API server refuses it: " + shorten(s.Message)
}

// refusalText gives the words of a quota or policy. Those about an object with secrets are shown if none of the object's
// values is among them.
func refusalText(obj plan.Object, s metav1.Status) string {
	if obj.Secret && obj.Rendered != nil && !quotes(s.Message, obj.Rendered) {
		obj.Secret = false
	}
	return serverText(obj, s)
}

// errQuoted ends a search.
var errQuoted = errors.New("the text quotes a value")

// quotes tells whether a text holds a value of an object, as it is or as the bytes that base64 stands for. What names the
// object is no value.
func quotes(text string, object map[string]any) bool {
	content := maps.Clone(object)
	delete(content, "apiVersion")
	delete(content, "kind")
	if metadata, ok := object["metadata"].(map[string]any); ok {
		metadata = maps.Clone(metadata)
		delete(metadata, "name")
		delete(metadata, "namespace")
		content["metadata"] = metadata
	}
	return leaves(content, "", func(_ string, leaf any, _ func(any) any) error {
		value := fmt.Sprint(leaf)
		decoded, err := base64.StdEncoding.DecodeString(value)
		if value != "" && strings.Contains(text, value) || err == nil && len(decoded) > 0 && strings.Contains(text, string(decoded)) {
			return errQuoted
		}
		return nil
	}) != nil
}

func shorten(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= maxServerText {
		return text
	}
	return strings.ToValidUTF8(text[:maxServerText], "") + "…"
}
