{{/* Labels of every object. */}}
{{- define "plait.labels" -}}
{{ include "plait.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: plait
{{- end }}

{{/* Labels by which the engine's pods are found. */}}
{{- define "plait.selector" -}}
app.kubernetes.io/name: plait
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Names are fixed: one engine serves a cluster, and documents name its roles. */}}
{{- define "plait.name" -}}
plait-engine
{{- end }}

{{- define "plait.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (include "plait.name" .) }}
{{- end }}

{{- define "plait.image" -}}
{{ .Values.image.repository }}{{ with .Values.image.digest }}@{{ . }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* A setting as the value of a flag: lists with commas, whole numbers without an exponent. */}}
{{- define "plait.flag" -}}
{{- if kindIs "slice" . -}}
{{ join "," . }}
{{- else if kindIs "float64" . -}}
{{ if eq (float64 (int64 .)) . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- else -}}
{{ . }}
{{- end -}}
{{- end }}

{{/* The port of an address such as :8080, empty for 0. */}}
{{- define "plait.port" -}}
{{- if contains ":" . }}{{ splitList ":" . | last }}{{ end -}}
{{- end }}
