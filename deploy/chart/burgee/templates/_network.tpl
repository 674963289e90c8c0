{{/*
How a component is reached: Service, Ingress, HTTPRoute and NetworkPolicy. Takes what burgee.pod takes, and base (path).
*/}}
{{- define "burgee.network" -}}
{{- $name := printf "%s-%s" (include "burgee.fullname" .root) .part }}
{{- $path := default "/" .base }}
{{- with .values.service }}
---
apiVersion: v1
kind: Service
{{ include "burgee.metadata" (merge (dict "annotations" .annotations "labels" .labels) $) }}
spec:
  type: {{ .type }}
  {{- with .loadBalancerIP }}
  loadBalancerIP: {{ . }}
  {{- end }}
  {{- with .loadBalancerClass }}
  loadBalancerClass: {{ . }}
  {{- end }}
  {{- with .loadBalancerSourceRanges }}
  loadBalancerSourceRanges:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  selector:
    {{- include "burgee.selector" $ | nindent 4 }}
  ports:
    - name: http
      port: {{ .port }}
      targetPort: http
      {{- with .nodePort }}
      nodePort: {{ . }}
      {{- end }}
    {{- if $.httpsPort }}
    - name: https
      port: {{ .httpsPort }}
      targetPort: https
    {{- end }}
{{- end }}
{{- with .values.ingress }}
{{- if .enabled }}
{{- if not (or .host .hosts) }}
{{- fail (printf "%s.ingress.host is required" $.part) }}
{{- end }}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
{{ include "burgee.metadata" (merge (dict "annotations" .annotations "labels" .labels) $) }}
spec:
  {{- with .className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- if or .tlsSecret .tls }}
  tls:
    {{- with .tlsSecret }}
    - hosts: [{{ required (printf "%s.ingress.tlsSecret needs %s.ingress.host" $.part $.part) $.values.ingress.host | quote }}]
      secretName: {{ . }}
    {{- end }}
    {{- with .tls }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- end }}
  {{- $hosts := .hosts }}
  {{- if .host }}
  {{- $hosts = prepend $hosts (dict "host" .host) }}
  {{- end }}
  rules:
    {{- range $hosts }}
    - host: {{ .host | quote }}
      http:
        paths:
          {{- range default (list dict) .paths }}
          - path: {{ default $path .path }}
            pathType: {{ default "Prefix" .pathType }}
            backend:
              service:
                name: {{ $name }}
                port: { name: http }
          {{- end }}
    {{- end }}
{{- end }}
{{- end }}
{{- with .values.httpRoute }}
{{- if .enabled }}
{{- if not .parentRefs }}
{{- fail (printf "%s.httpRoute.parentRefs is required" $.part) }}
{{- end }}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
{{ include "burgee.metadata" (merge (dict "annotations" .annotations "labels" .labels) $) }}
spec:
  parentRefs:
    {{- toYaml .parentRefs | nindent 4 }}
  {{- with .hostnames }}
  hostnames:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  rules:
    - matches:
        - path: { type: PathPrefix, value: {{ $path }} }
      {{- with .filters }}
      filters:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      backendRefs:
        - name: {{ $name }}
          port: {{ $.values.service.port }}
{{- end }}
{{- end }}
{{- with .values.networkPolicy }}
{{- if .enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
{{ include "burgee.metadata" $ }}
spec:
  podSelector:
    matchLabels:
      {{- include "burgee.selector" $ | nindent 6 }}
  policyTypes: {{ if .egress }}[Ingress, Egress]{{ else }}[Ingress]{{ end }}
  ingress:
    - ports:
        - port: http
        {{- if $.httpsPort }}
        - port: https
        {{- end }}
      {{- with .from }}
      from:
        {{- toYaml . | nindent 8 }}
      {{- end }}
  {{- with .egress }}
  egress:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}
{{- end -}}
