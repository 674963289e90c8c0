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

{{/* Labels by which pods of a part are chosen; they never change. Takes root and part. */}}
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
{{- end -}}

{{/* A base path as the commands read it: "/flags" for "flags", "/flags/" and the like. */}}
{{- define "burgee.base" -}}
{{- with . }}{{- with trimAll "/" . }}/{{ . }}{{- end }}{{- end -}}
{{- end -}}
