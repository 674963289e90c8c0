{{/*
Pod of a component. Takes root, part, values (of the component), port, httpsPort (0 without TLS), live and ready (paths),
env (default variables, by name), and optionally secretKey (variable from a key of a secret), claim (name of the claim of
/data) or ownClaim (a claim template of the name `data`).
*/}}
{{- define "burgee.pod" -}}
metadata:
  labels:
    {{- include "burgee.labels" . | nindent 4 }}
    {{- with .values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    {{- /* a changed secret replaces the pods */}}
    checksum/secret: {{ toJson .values.secretEnv | sha256sum }}
    {{- with .values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "burgee.serviceAccount" .root }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.podSecurityContext }}
  securityContext:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with .values.hostAliases }}
  hostAliases:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.dnsConfig }}
  dnsConfig:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- /* the delay, requests in flight, and a margin */}}
  terminationGracePeriodSeconds: {{ add .values.shutdownDelay 10 }}
  {{- with .values.initContainers }}
  initContainers:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .part }}
      image: {{ include "burgee.image" .root | quote }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [{{ .part }}]
      ports:
        - name: http
          containerPort: {{ .port }}
        {{- if .httpsPort }}
        - name: https
          containerPort: {{ .httpsPort }}
        {{- end }}
      env:
        {{- include "burgee.env" . | nindent 8 }}
      {{- if or .values.secretEnv .values.existingSecret .values.envFrom }}
      envFrom:
        {{- if .values.secretEnv }}
        - secretRef: { name: {{ include "burgee.fullname" .root }}-{{ .part }} }
        {{- end }}
        {{- with .values.existingSecret }}
        - secretRef: { name: {{ . }} }
        {{- end }}
        {{- with .values.envFrom }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- end }}
      {{- /* a start waits up to a minute for its database (DATABASE_WAIT) before it listens */}}
      {{- $startup := dict "httpGet" (dict "path" .live "port" "http") "periodSeconds" 2 "failureThreshold" 60 }}
      startupProbe:
        {{- toYaml (mergeOverwrite $startup .values.startupProbe) | nindent 8 }}
      {{- $liveness := dict "httpGet" (dict "path" .live "port" "http") "periodSeconds" 10 "timeoutSeconds" 5 "failureThreshold" 6 }}
      livenessProbe:
        {{- toYaml (mergeOverwrite $liveness .values.livenessProbe) | nindent 8 }}
      {{- /* noticed after twice two seconds, which is shorter than the shutdown delay */}}
      {{- $readiness := dict "httpGet" (dict "path" .ready "port" "http") "periodSeconds" 2 "timeoutSeconds" 2 "failureThreshold" 2 }}
      readinessProbe:
        {{- toYaml (mergeOverwrite $readiness .values.readinessProbe) | nindent 8 }}
      {{- with .values.lifecycle }}
      lifecycle:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        {{- include "burgee.containerSecurity" . | nindent 8 }}
      {{- with .values.resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - { name: data, mountPath: /data }
        {{- with .values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    {{- with .values.sidecars }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- if or (not .ownClaim) .values.extraVolumes }}
  volumes:
    {{- if .claim }}
    - name: data
      persistentVolumeClaim: { claimName: {{ .claim }} }
    {{- else if not .ownClaim }}
    - name: data
      emptyDir:
        {{- toYaml .values.emptyDir | nindent 8 }}
    {{- end }}
    {{- with .values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- end }}
  {{- with .values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* Variables of a container: defaults of the chart, then `env` and `extraEnv`, which replace them. */}}
{{- define "burgee.env" -}}
{{- $own := dict }}
{{- range .values.extraEnv }}{{- $_ := set $own .name true }}{{- end }}
{{- $fixed := merge (dict "SHUTDOWN_DELAY" .values.shutdownDelay "FORWARDED_METRICS" .values.ingress.metrics) .env }}
{{- range $name, $value := $fixed }}
{{- if not (or (hasKey $.values.env $name) (hasKey $own $name)) }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}
{{- range $name, $value := .values.env }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- with .secretKey }}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ .secret }}, key: {{ .key }} }
{{- end }}
{{- with .values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "burgee.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}
