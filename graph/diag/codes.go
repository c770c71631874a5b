package diag

// Code names a kind of problem: PLT and three digits. A code never changes its meaning and is never used again.
type Code string

// The codes by stage: 0xx the document, 1xx the schema, 2xx nodes and ids, 3xx expressions, 4xx templates
// against their schemas, 5xx the graph, 6xx status, 7xx the generated API, 9xx instances.
const (
	Syntax           Code = "PLT001" // the YAML cannot be read
	DuplicateKey     Code = "PLT002" // a key stands twice in one map
	UnknownField     Code = "PLT003" // a field that the document does not have
	WrongFieldType   Code = "PLT004" // a field holds another type than it takes
	MissingField     Code = "PLT005" // a required field of the document is missing
	InvalidValue     Code = "PLT006" // a field of the document holds a value that it does not take
	DocumentTooLarge Code = "PLT007" // the document is larger than an API server stores well
	TooManyNodes     Code = "PLT008" // more resources than a graph may have

	SchemaType      Code = "PLT101" // a type that the schema language does not have
	SchemaMarker    Code = "PLT102" // a marker that is unknown, malformed, or stands on the wrong type
	SchemaDefault   Code = "PLT103" // a default that breaks the rules of its own field
	SchemaTypeCycle Code = "PLT104" // named types that hold each other
	SchemaInvalid   Code = "PLT105" // the API server would refuse the schema
	SchemaRule      Code = "PLT106" // a validation rule that does not compile or costs too much

	NodeID        Code = "PLT201" // an id that is malformed, reserved or taken
	NodeBody      Code = "PLT202" // not exactly one of template, externalRef and def
	NodeReference Code = "PLT203" // dependsOn names a node that does not exist
	NodeIterator  Code = "PLT204" // a forEach entry that is malformed, or an iterator name that is taken
	NodeExternal  Code = "PLT205" // an externalRef that does not say what it means
	NodeLifecycle Code = "PLT206" // lifecycle settings that do not go together

	ExprSyntax Code = "PLT301" // text with an unterminated or empty expression, or broken CEL
	ExprName   Code = "PLT302" // an identifier that is not in scope
	ExprField  Code = "PLT303" // a field that the type does not have
	ExprType   Code = "PLT304" // an expression whose type does not fit its place
	ExprText   Code = "PLT305" // a value without a text form inside text
	ExprForm   Code = "PLT306" // a place that takes one standalone expression
	ExprCost   Code = "PLT307" // an expression that is too long or nested too deeply
	ExprFails  Code = "PLT308" // an expression that fails whatever the inputs are

	TemplateIdentity  Code = "PLT401" // apiVersion, kind, metadata or a name is missing, malformed or not literal
	TemplateField     Code = "PLT402" // a field that the kind does not have
	TemplateValue     Code = "PLT403" // a literal that the kind's schema refuses
	TemplateRequired  Code = "PLT404" // a required field that nothing fills
	TemplateReserved  Code = "PLT405" // a field that only the engine or the API server may set
	TemplateNamespace Code = "PLT406" // a namespace where none may stand, or none where one must
	TemplateMergeKey  Code = "PLT407" // two entries of one list with the same merge key

	GraphCycle      Code = "PLT501" // nodes that need each other
	GraphSameObject Code = "PLT502" // two nodes that render one object
	GraphItemNames  Code = "PLT503" // a collection whose items would share a name
	GraphReadiness  Code = "PLT504" // isReady() on a kind that does not tell its readiness
	GraphKind       Code = "PLT505" // a kind that is not installed
	GraphClaim      Code = "PLT506" // a claim that may never be bound before it is used

	StatusLiteral  Code = "PLT601" // a status field without an expression
	StatusReserved Code = "PLT602" // a status field that Plait writes itself

	APIName    Code = "PLT701" // group, version, kind or plural that the API server would refuse
	APIInvalid Code = "PLT702" // the generated CustomResourceDefinition is refused for another reason

	InstanceInvalid Code = "PLT901" // an instance that its schema or a rule refuses
	InstanceUnknown Code = "PLT902" // a document whose kind no group given here serves
	InstancePruned  Code = "PLT903" // a field of an instance that the API server would drop
	Annotation      Code = "PLT904" // an annotation of Plait's, on a group or an instance, that means nothing there
)
