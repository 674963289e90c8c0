{{/* ServiceMonitor of a component. Takes what burgee.pod takes, metrics (path) and scheme. */}}
{{- define "burgee.monitor" -}}
{{- with .root.Values.serviceMonitor }}
{{- if .enabled }}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
{{ include "burgee.metadata" (merge (dict "namespace" .namespace "labels" .labels) $) }}
spec:
  {{- if .namespace }}
  namespaceSelector: { matchNames: [{{ $.root.Release.Namespace }}] }
  {{- end }}
  selector:
    matchLabels:
      {{- include "burgee.selector" $ | nindent 6 }}
    matchExpressions:
      {{- /* the headless Service names the same pods */}}
      - { key: burgee/headless, operator: DoesNotExist }
  endpoints:
    - port: {{ $.scheme }}
      {{- if eq $.scheme "https" }}
      scheme: https
      {{- with .tlsConfig }}
      tlsConfig:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- end }}
      path: {{ $.metrics }}
      interval: {{ .interval }}
      {{- with .scrapeTimeout }}
      scrapeTimeout: {{ . }}
      {{- end }}
      {{- with .relabelings }}
      relabelings:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .metricRelabelings }}
      metricRelabelings:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Rejects a monitor of an endpoint that a variable disables. Takes root, part, values, name and off (its value). */}}
{{- define "burgee.checkMetrics" -}}
{{- if and .root.Values.serviceMonitor.enabled (eq (toString (get .values.env .name)) .off) -}}
{{- fail (printf "serviceMonitor.enabled needs the metrics that %s.env.%s disables" .part .name) -}}
{{- end -}}
{{- end -}}
