{{- define "strata.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{/* The labels that select the pods of a component. Call it with (dict "root" $ "component" "core"). */}}
{{- define "strata.selector" -}}
app.kubernetes.io/name: strata
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "strata.labels" -}}
{{ include "strata.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "strata.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* A variable from the Secret. Call it with (dict "root" $ "key" "DATABASE_URL"). */}}
{{- define "strata.secret" -}}
- name: {{ .key }}
  valueFrom: { secretKeyRef: { name: {{ .root.Values.existingSecret }}, key: {{ .key }} } }
{{- end }}

{{/* The variables of the core, which the migration also needs. */}}
{{- define "strata.coreSettings" -}}
{{ include "strata.secret" (dict "root" . "key" "DATABASE_URL") }}
{{ include "strata.secret" (dict "root" . "key" "STRATA_ROOT_KEY") }}
{{- range list "STRATA_PREVIOUS_ROOT_KEY" "STRATA_CHECKPOINT_KEY" }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $.Values.existingSecret }}, key: {{ . }}, optional: true } }
{{- end }}
- { name: STRATA_PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
{{- range $name, $value := .Values.core.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* The parts of a pod that are the same for all processes. */}}
{{- define "strata.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
volumes:
  - { name: tmp, emptyDir: {} }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "strata.container" -}}
image: {{ include "strata.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
{{- end }}
