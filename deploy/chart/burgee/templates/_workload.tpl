{{/* Deployment whose pods are replaced one by one, each after the previous one is ready. Takes what burgee.pod takes. */}}
{{- define "burgee.deployment" -}}
apiVersion: apps/v1
kind: Deployment
{{ include "burgee.metadata" (merge (dict "annotations" .values.annotations) .) }}
spec:
  {{- if not .values.autoscaling.enabled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  revisionHistoryLimit: {{ .values.revisionHistoryLimit }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels:
      {{- include "burgee.selector" . | nindent 6 }}
  template:
    {{- include "burgee.pod" . | nindent 4 }}
{{- end -}}

{{/* One pod on a volume of its own. Takes what burgee.pod takes. */}}
{{- define "burgee.statefulSet" -}}
{{- $volume := .values.persistence }}
{{- $part := merge (dict "claim" $volume.existingClaim "ownClaim" (not $volume.existingClaim)) . }}
apiVersion: apps/v1
kind: StatefulSet
{{ include "burgee.metadata" (merge (dict "annotations" .values.annotations) .) }}
spec:
  replicas: {{ .values.replicas }}
  revisionHistoryLimit: {{ .values.revisionHistoryLimit }}
  serviceName: {{ include "burgee.fullname" .root }}-{{ .part }}-headless
  selector:
    matchLabels:
      {{- include "burgee.selector" . | nindent 6 }}
  template:
    {{- include "burgee.pod" $part | nindent 4 }}
  {{- if $part.ownClaim }}
  persistentVolumeClaimRetentionPolicy: { whenDeleted: {{ $volume.whenDeleted }}, whenScaled: {{ $volume.whenScaled }} }
  volumeClaimTemplates:
    - metadata:
        name: data
        {{- with $volume.annotations }}
        annotations:
          {{- toYaml . | nindent 10 }}
        {{- end }}
      spec:
        accessModes:
          {{- toYaml $volume.accessModes | nindent 10 }}
        {{- with $volume.storageClass }}
        storageClassName: {{ . }}
        {{- end }}
        resources:
          requests: { storage: {{ $volume.size }} }
  {{- end }}
---
apiVersion: v1
kind: Service
{{ include "burgee.metadata" (merge (dict "suffix" "-headless" "labels" (dict "burgee/headless" "true")) .) }}
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    {{- include "burgee.selector" . | nindent 4 }}
  ports:
    - name: http
      port: {{ .port }}
      targetPort: http
{{- end -}}

{{/* Secret, disruption budget and autoscaler of a component. Takes what burgee.pod takes. */}}
{{- define "burgee.around" -}}
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
{{- $budget := .values.podDisruptionBudget }}
{{- $scaling := .values.autoscaling }}
{{- $pods := int (ternary $scaling.minReplicas .values.replicas $scaling.enabled) }}
{{- if and $budget.enabled (gt $pods 1) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
{{ include "burgee.metadata" . }}
spec:
  {{- if not (kindIs "invalid" $budget.minAvailable) }}
  minAvailable: {{ $budget.minAvailable }}
  {{- else }}
  maxUnavailable: {{ $budget.maxUnavailable }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "burgee.selector" . | nindent 6 }}
{{- end }}
{{- if $scaling.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
{{ include "burgee.metadata" . }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "burgee.fullname" .root }}-{{ .part }}
  minReplicas: {{ $scaling.minReplicas }}
  maxReplicas: {{ $scaling.maxReplicas }}
  metrics:
    {{- with $scaling.targetCPUUtilizationPercentage }}
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ . }} }
    {{- end }}
    {{- with $scaling.metrics }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with $scaling.behavior }}
  behavior:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end -}}
