/**
 * Options of the export to an OpenTelemetry collector: how each option is set, its resulting value, and its default.
 */
export const OTEL_CASES = [
  {
    option: 'otelExporterOtlpEndpoint',
    env: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
    text: 'http://collector:4318/in',
    value: 'http://collector:4318/in',
  },
  {
    option: 'otelExporterOtlpTracesEndpoint',
    env: ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
    text: 'http://traces:4318/in',
    value: 'http://traces:4318/in',
  },
  {
    option: 'otelExporterOtlpMetricsEndpoint',
    env: ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'],
    text: 'http://metrics:4318/in',
    value: 'http://metrics:4318/in',
  },
  {
    option: 'otelExporterOtlpLogsEndpoint',
    env: ['OTEL_EXPORTER_OTLP_LOGS_ENDPOINT'],
    text: 'http://logs:4318/in',
    value: 'http://logs:4318/in',
  },
  {
    option: 'otelExporterOtlpProtocol',
    env: ['OTEL_EXPORTER_OTLP_PROTOCOL'],
    text: 'http/json',
    value: 'http/json',
    default: 'http/protobuf',
  },
  {
    option: 'otelExporterOtlpHeaders',
    env: ['OTEL_EXPORTER_OTLP_HEADERS'],
    text: 'authorization=Basic%20eA==, x-tenant=a',
    value: { authorization: 'Basic eA==', 'x-tenant': 'a' },
  },
  { option: 'otelExporterOtlpTimeout', env: ['OTEL_EXPORTER_OTLP_TIMEOUT'], text: '7', value: 7, default: 10_000 },
  {
    option: 'otelExporterOtlpCompression',
    env: ['OTEL_EXPORTER_OTLP_COMPRESSION'],
    text: 'gzip',
    value: 'gzip',
    default: 'none',
  },
  { option: 'otelServiceName', env: ['OTEL_SERVICE_NAME'], text: 'flags', value: 'flags' },
  {
    option: 'otelResourceAttributes',
    env: ['OTEL_RESOURCE_ATTRIBUTES'],
    text: 'deployment.environment.name=a%2Cb',
    value: { 'deployment.environment.name': 'a,b' },
  },
  { option: 'otelTracesExporter', env: ['OTEL_TRACES_EXPORTER'], text: 'none', value: 'none', default: 'otlp' },
  { option: 'otelMetricsExporter', env: ['OTEL_METRICS_EXPORTER'], text: 'none', value: 'none', default: 'otlp' },
  { option: 'otelLogsExporter', env: ['OTEL_LOGS_EXPORTER'], text: 'otlp', value: 'otlp', default: 'none' },
  {
    option: 'otelTracesSampler',
    env: ['OTEL_TRACES_SAMPLER'],
    text: 'traceidratio',
    value: 'traceidratio',
    default: 'parentbased_always_on',
  },
  { option: 'otelTracesSamplerArg', env: ['OTEL_TRACES_SAMPLER_ARG'], text: '0.5', value: '0.5', default: '1' },
  {
    option: 'otelMetricExportInterval',
    env: ['OTEL_METRIC_EXPORT_INTERVAL'],
    text: '7',
    value: 7,
    default: 60_000,
  },
  { option: 'otelBspScheduleDelay', env: ['OTEL_BSP_SCHEDULE_DELAY'], text: '7', value: 7, default: 5000 },
  { option: 'otelBspMaxQueueSize', env: ['OTEL_BSP_MAX_QUEUE_SIZE'], text: '7', value: 7, default: 2048 },
  { option: 'otelSdkDisabled', env: ['OTEL_SDK_DISABLED'], text: 'true', value: true, default: false },
] as const
