package diag

var documentCodes = []Explanation{
	{Syntax, "The document cannot be read", "The text is no valid YAML or JSON, an alias cannot be expanded, or a value has no JSON form.",
		"Look at the line that is named and the one above it: indentation, quotes, brackets."},
	{DuplicateKey, "A key stands twice", "One map has the same key twice. No value wins silently.", "Remove one of the two."},
	{UnknownField, "A field is not known", "The document has a field that a ResourceGroup does not have. It would have no effect.",
		"Correct the spelling; the nearest names are suggested. Fields are written in camel case."},
	{WrongFieldType, "A field holds another type", "A list stands where a string is expected, a number where text is, and so on.",
		"Write the type that is named. Text that looks like a number, a date, yes or no needs quotes."},
	{MissingField, "A required field is missing", "The document lacks a field without which it means nothing.", "Add the field at the path that is named."},
	{InvalidValue, "A value is not possible here", "A field takes a few values only, or text of a certain form.", "Use one of the values that are named."},
	{DocumentTooLarge, "The document is very large", "It has over 700 KiB. An API server stores at most about 1.5 MiB, and a plain `kubectl apply` keeps a second copy.",
		"Apply it with `kubectl apply --server-side`, or cut it into several ResourceGroups."},
	{TooManyNodes, "There are too many resources", "A ResourceGroup may have 2000.", "Cut it into several ResourceGroups, one of which uses the kinds of the others."},
}

var schemaCodes = []Explanation{
	{SchemaType, "A type is not known", "A type string does not start with a type of the language, or with a name from schema.types.",
		"Correct the spelling, or define the type under schema.types."},
	{SchemaMarker, "A marker is wrong", "A marker is not known, lacks its value, has a malformed one, or stands on a type that it says nothing about.",
		"Markers are written key=value behind a |. Values with spaces, commas or pipes need double quotes."},
	{SchemaDefault, "A default breaks the rules of its field", "The default is of another type than the field, or its enum, pattern, bounds or rules refuse it.",
		"Change the default or the rule."},
	{SchemaTypeCycle, "Types hold each other", "A schema cannot contain itself. The cycle is printed from its first type.", "Use object for one of the fields."},
	{SchemaInvalid, "The API server would refuse the schema", "A field has a name or a combination of markers that no CustomResourceDefinition may have.",
		"Follow what the API server says; it is quoted."},
	{SchemaRule, "A validation rule cannot be used", "The CEL expression does not compile, is no bool, uses oldSelf where nothing can be compared, or may cost too much.",
		"Correct the rule. For the cost, set maxItems, maxProperties or maxLength on what it reads."},
}

var nodeCodes = []Explanation{
	{NodeID, "An id cannot be used", "It is malformed, reserved for something else in expressions, or taken by another node.",
		"Start with a lower-case letter and use letters and digits only: deployment, dbSecret."},
	{NodeBody, "A node has no body, or several", "A node is a template to apply, an externalRef to read, or a def to compute.", "Keep exactly one of them."},
	{NodeReference, "A node does not exist", "dependsOn names an id that no node has.", "Correct the spelling; the nearest ids are suggested."},
	{NodeIterator, "An iterator is wrong", "An entry of forEach does not name exactly one iterator, there are more than 10, or the name is taken.",
		"Write one entry for each: `- zone: ${schema.spec.zones}`."},
	{NodeExternal, "An externalRef does not say what it means", "It needs apiVersion, kind, and either a name or a selector.", "Give exactly one of metadata.name and metadata.selector."},
	{NodeLifecycle, "Lifecycle settings do not go together", "A setting contradicts another one, has no meaning for this kind of node, or names a field that the kind does not have.",
		"Remove one of two that contradict each other; correct the path of the field."},
}

var expressionCodes = []Explanation{
	{ExprSyntax, "An expression cannot be read", "A ${ is not closed, there is nothing between the braces, or the CEL is broken.",
		"Close the brace. Literal ${ is written $${."},
	{ExprName, "A name is not in scope", "The expression uses an identifier that is no node, no iterator and not `schema`, or one that this place does not see.",
		"Correct the spelling; the nearest names are suggested. Shell variables are written $${NAME}."},
	{ExprField, "A field does not exist", "The type of the value has no such field, so the expression could never work.", "Correct the spelling; the nearest fields are suggested."},
	{ExprType, "A type does not fit", "The result of the expression cannot stand in this field, or an operator or function does not take these types.",
		"Convert the value: string(…), int(…), bytes(…)."},
	{ExprText, "A value has no text form", "Lists, maps, bytes and null cannot stand in the middle of text.", "Use join, json.marshal, string or orValue."},
	{ExprForm, "One expression alone must stand here", "Conditions, iterators and readiness are one ${…} with nothing around it.", "Remove the text around the expression, or the second one."},
	{ExprCost, "An expression is too long or too deep", "It could not be evaluated within the limits.", "Split it up with def nodes."},
	{ExprFails, "An expression always fails", "A part of it reads no input, and cannot be evaluated: no instance could ever be made with it.", "Correct the constant that the message names."},
}

var templateCodes = []Explanation{
	{TemplateIdentity, "An object is not named properly", "apiVersion, kind, metadata or metadata.name is missing or malformed, or apiVersion and kind are no literal text.",
		"Write them out. generateName is not possible: Plait must know the name."},
	{TemplateField, "A field does not exist", "The kind has no such field, and the API server would drop it or refuse the object.", "Correct the spelling; the nearest fields are suggested."},
	{TemplateValue, "A value is refused by the kind", "A literal, or an expression that reads nothing, has another type than the field, or breaks its enum, pattern or bounds.", "Write a value that the message describes."},
	{TemplateRequired, "A required field is missing", "The kind requires a field that neither a literal nor an expression fills.", "Add the field."},
	{TemplateReserved, "A field is not the template's to set", "status, and the marks that Plait itself puts on its objects, cannot be set.", "Remove the field."},
	{TemplateNamespace, "A namespace is wrong", "A cluster-scoped kind has a namespace, or a namespaced one has none where the instance has none either.", "Remove or add metadata.namespace."},
	{TemplateMergeKey, "Two entries have one key", "Two entries of a list have the same merge key; the API server keeps only one of them.", "Give them different keys."},
}

var graphCodes = []Explanation{
	{GraphCycle, "Nodes need each other", "No order exists in which they could be applied. The cycle is printed with the field of each step.",
		"Take one of the references out, or make it optional with ?."},
	{GraphSameObject, "Two nodes make one object", "They have the same kind, namespace and name, and would fight over it.", "Give them different names, or join them."},
	{GraphItemNames, "Items of a collection share a name", "The name of the template uses no iterator, so that all items would be one object.", "Put the iterator into metadata.name."},
	{GraphReadiness, "A kind does not tell its readiness", "isReady() needs a kind with known readiness or with a Ready condition.", "Write a readyWhen with fields of the kind."},
	{GraphKind, "A kind is not installed", "Nodes of the kind wait until it is. What they hold cannot be checked yet.", "Install the CustomResourceDefinition, or connect to who exports it."},
	{GraphClaim, "A claim may never be bound", "With WaitForFirstConsumer a claim is bound when a pod uses it, and here another node waits for the claim first.",
		"Do not let the pod's node wait for the claim."},
}

var instanceCodes = []Explanation{
	{StatusLiteral, "A status field has no expression", "A status that never changes says nothing.", "Write an ${expression}, or remove the field."},
	{StatusReserved, "A status field is Plait's", "state, conditions, observedGeneration, revision, resources and their like are written by Plait.", "Use another name. Conditions of yours go into status.conditions as expressions."},
	{APIName, "The API cannot be named so", "The API server would refuse the group, version, kind, plural or a short name.", "Follow the form that the message gives."},
	{APIInvalid, "The API server would refuse the definition", "Something beside the schema of the spec is wrong: printer columns, labels, annotations.", "Follow what the API server says; it is quoted."},
	{InstanceInvalid, "The instance is refused", "The schema or a validation rule of its kind refuses it.", "Change the field that is named."},
	{InstanceUnknown, "No group serves this kind", "A document was given whose kind none of the ResourceGroups given with it serves.", "Give the ResourceGroup too, or correct apiVersion and kind."},
	{InstancePruned, "A field would be dropped", "The kind has no such field, and the API server drops it.", "Correct the spelling, or remove it."},
	{Annotation, "An annotation means nothing", "Its key begins with plait.run/, and Plait reads no such key on this kind of object, or not with this value.",
		"Correct the spelling, or remove it."},
}
