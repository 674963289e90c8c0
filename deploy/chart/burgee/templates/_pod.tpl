{{/*
A pod of a part. Takes root, part, values (of the part), port, live, ready (paths), env (fixed variables, by name) and volume (what
is mounted at /data: a YAML of the volume, or nothing where a claim of the same name does it).
*/}}
{{- define "burgee.pod" -}}
metadata:
  labels:
    {{- include "burgee.labels" . | nindent 4 }}
    {{- with .values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    {{- /* what a pod was started with, so that another secret makes other pods */}}
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
  {{- /* the delay, what is in flight, and a little */}}
  terminationGracePeriodSeconds: {{ add .values.shutdownDelay 10 }}
  containers:
    - name: {{ .part }}
      image: {{ printf "%s:%s" .root.Values.image.repository (default .root.Chart.AppVersion .root.Values.image.tag) | quote }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [{{ .part }}]
      ports:
        - name: http
          containerPort: {{ .port }}
      env:
        {{- $fixed := merge (dict "SHUTDOWN_DELAY" .values.shutdownDelay "FORWARDED_METRICS" .values.ingress.metrics) .env }}
        {{- range $name, $value := $fixed }}
        {{- if not (hasKey $.values.env $name) }}
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
      {{- if or .values.secretEnv .values.existingSecret }}
      envFrom:
        {{- if .values.secretEnv }}
        - secretRef: { name: {{ include "burgee.fullname" .root }}-{{ .part }} }
        {{- end }}
        {{- with .values.existingSecret }}
        - secretRef: { name: {{ . }} }
        {{- end }}
      {{- end }}
      {{- /* a start waits for its database for a minute (DATABASE_WAIT) before it listens */}}
      startupProbe:
        httpGet: { path: {{ .live }}, port: http }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: {{ .live }}, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      {{- /* twice two seconds until it is noticed: shorter than the delay of a shutdown */}}
      readinessProbe:
        httpGet: { path: {{ .ready }}, port: http }
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 2
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      {{- with .values.resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - { name: data, mountPath: /data }
  {{- with .volume }}
  volumes:
    - name: data
      {{- . | nindent 6 }}
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
