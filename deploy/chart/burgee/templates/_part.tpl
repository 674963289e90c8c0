{{- define "burgee.metadata" -}}
metadata:
  name: {{ include "burgee.fullname" .root }}-{{ .part }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "burgee.labels" . | nindent 4 }}
{{- end -}}

{{/* Pods that are replaced one by one, the next when the one before is ready. Takes what burgee.pod takes. */}}
{{- define "burgee.deployment" -}}
apiVersion: apps/v1
kind: Deployment
{{ include "burgee.metadata" . }}
spec:
  replicas: {{ .values.replicas }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels:
      {{- include "burgee.selector" . | nindent 6 }}
  template:
    {{- include "burgee.pod" . | nindent 4 }}
{{- end -}}

{{/* What a part has around its pods: service, secret, budget, ingress, monitor. Takes what burgee.pod takes, and metrics (a path). */}}
{{- define "burgee.around" -}}
---
apiVersion: v1
kind: Service
{{ include "burgee.metadata" . }}
  {{- with .values.service.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ .values.service.type }}
  selector:
    {{- include "burgee.selector" . | nindent 4 }}
  ports:
    - name: http
      port: {{ .values.service.port }}
      targetPort: http
{{- if .values.secretEnv }}
---
apiVersion: v1
kind: Secret
{{ include "burgee.metadata" . }}
type: Opaque
data:
  {{- range $name, $value := .values.secretEnv }}
  {{ $name }}: {{ $value | toString | b64enc }}
  {{- end }}
{{- end }}
{{- if and .values.podDisruptionBudget.enabled (gt (int .values.replicas) 1) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
{{ include "burgee.metadata" . }}
spec:
  maxUnavailable: {{ .values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "burgee.selector" . | nindent 6 }}
{{- end }}
{{- if .values.ingress.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
{{ include "burgee.metadata" . }}
  {{- with .values.ingress.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with .values.ingress.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- with .values.ingress.tlsSecret }}
  tls:
    - hosts: [{{ $.values.ingress.host | quote }}]
      secretName: {{ . }}
  {{- end }}
  rules:
    - host: {{ required (printf "%s.ingress.host is required" .part) .values.ingress.host | quote }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: {{ include "burgee.fullname" .root }}-{{ .part }}
                port: { name: http }
{{- end }}
{{- if .root.Values.serviceMonitor.enabled }}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
{{ include "burgee.metadata" . }}
    {{- with .root.Values.serviceMonitor.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  selector:
    matchLabels:
      {{- include "burgee.selector" . | nindent 6 }}
  endpoints:
    - port: http
      path: {{ .metrics }}
      interval: {{ .root.Values.serviceMonitor.interval }}
{{- end }}
{{- end -}}
