{{- define "burgee.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "burgee.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains (include "burgee.name" .) .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "burgee.name" .) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "burgee.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "burgee.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "burgee.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* Labels that select the pods of a component; they never change. Takes root and part. */}}
{{- define "burgee.selector" -}}
app.kubernetes.io/name: {{ include "burgee.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "burgee.labels" -}}
{{ include "burgee.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Metadata of an object. Takes root, part, and optionally suffix (of the name), namespace, labels and annotations. */}}
{{- define "burgee.metadata" -}}
metadata:
  name: {{ include "burgee.fullname" .root }}-{{ .part }}{{ .suffix }}
  namespace: {{ default .root.Release.Namespace .namespace }}
  labels:
    {{- include "burgee.labels" . | nindent 4 }}
    {{- with .labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* Value of the first of some variables that is set below `env`, or a default. Takes env, names and default. */}}
{{- define "burgee.variable" -}}
{{- $found := .default -}}
{{- range reverse .names -}}
{{- if hasKey $.env . -}}{{- $found = get $.env . -}}{{- end -}}
{{- end -}}
{{- $found -}}
{{- end -}}

{{/* Base path as the commands read it: "/flags" for "flags", "/flags/" and the like. */}}
{{- define "burgee.base" -}}
{{- with . }}{{- with trimAll "/" (toString .) }}/{{ . }}{{- end }}{{- end -}}
{{- end -}}

{{/*
Rejects variables that ports, probes or monitors follow in a place where the chart cannot read them. Takes part, values
and names.
*/}}
{{- define "burgee.checkPlaces" -}}
{{- range $name := .names -}}
{{- if hasKey $.values.secretEnv $name -}}
{{- fail (printf "%s must be in %s.env, not in %s.secretEnv: ports and probes follow it" $name $.part $.part) -}}
{{- end -}}
{{- range $.values.extraEnv -}}
{{- if eq .name $name -}}
{{- fail (printf "%s must be in %s.env, not in %s.extraEnv: ports and probes follow it" $name $.part $.part) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
