import type { OptionTable, Parsed } from '../options/options.ts'
import { flag, httpUrl, integer, oneOf, type Parser, text } from '../options/parsers.ts'

const MAX_INTERVAL_MS = 2_147_483_647
const MS_PER_MINUTE = 60_000
const MAX_QUEUE_SIZE = 1_000_000

/** Parser of `key=value` pairs, separated by commas; values are percent-encoded. Source: OpenTelemetry, W3C Baggage */
const pairs: Parser<Readonly<Record<string, string>>> = {
  expects: 'pairs like key=value, separated by commas',
  parse: (value) => {
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [text.parse(key), text.parse(one)]))
    }
    const items = text.parse(value).split(',')
    return Object.fromEntries(
      items
        .filter((item) => item.trim() !== '')
        .map((item) => {
          const at = item.indexOf('=')
          if (at < 1) throw new TypeError()
          return [item.slice(0, at).trim(), decodeURIComponent(item.slice(at + 1).trim())]
        }),
    )
  },
}

const ratio: Parser<number> = {
  expects: 'a number from 0 to 1',
  parse: (value) => {
    const number = typeof value === 'number' ? value : Number(text.parse(value))
    if (!(number >= 0 && number <= 1)) throw new RangeError()
    return number
  },
}

/** Names of samplers. Source: OpenTelemetry SDK environment variables */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Name of a sampler. */
export type SamplerName = (typeof SAMPLERS)[number]

/**
 * Options of the export to an OpenTelemetry collector, with the variables that OpenTelemetry defines. Without an
 * endpoint nothing is sent.
 */
export const OTEL_OPTIONS = {
  otelExporterOtlpEndpoint: {
    env: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
    parse: httpUrl,
    doc: 'URL of an OpenTelemetry collector, such as `http://localhost:4318`, which receives metrics and traces.',
  },
  otelExporterOtlpTracesEndpoint: {
    env: ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
    parse: httpUrl,
    defaultDoc: '/v1/traces of the collector',
    doc: 'URL that receives traces.',
  },
  otelExporterOtlpMetricsEndpoint: {
    env: ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'],
    parse: httpUrl,
    defaultDoc: '/v1/metrics of the collector',
    doc: 'URL that receives metrics.',
  },
  otelExporterOtlpProtocol: {
    env: ['OTEL_EXPORTER_OTLP_PROTOCOL'],
    parse: oneOf(['http/protobuf', 'http/json', 'grpc']),
    default: 'http/protobuf',
    doc: 'Protocol of the collector. With grpc, which is not supported, nothing is sent.',
  },
  otelExporterOtlpHeaders: {
    env: ['OTEL_EXPORTER_OTLP_HEADERS'],
    parse: pairs,
    secret: true,
    doc: 'Headers of each request to the collector: `key=value` pairs, separated by commas.',
  },
  otelExporterOtlpTimeout: {
    env: ['OTEL_EXPORTER_OTLP_TIMEOUT'],
    parse: integer(1, MAX_INTERVAL_MS),
    default: 10_000,
    unit: 'milliseconds',
    doc: 'Time limit of each request to the collector.',
  },
  otelExporterOtlpCompression: {
    env: ['OTEL_EXPORTER_OTLP_COMPRESSION'],
    parse: oneOf(['gzip', 'none']),
    default: 'none',
    doc: 'Compression of the requests to the collector.',
  },
  otelServiceName: {
    env: ['OTEL_SERVICE_NAME'],
    parse: text,
    defaultDoc: 'burgee-server, burgee-proxy or burgee-edge',
    doc: 'Name of the service in metrics and traces.',
  },
  otelResourceAttributes: {
    env: ['OTEL_RESOURCE_ATTRIBUTES'],
    parse: pairs,
    doc: 'Further attributes of the service: `key=value` pairs, separated by commas.',
  },
  otelTracesExporter: {
    env: ['OTEL_TRACES_EXPORTER'],
    parse: oneOf(['otlp', 'none']),
    default: 'otlp',
    doc: 'none: send no traces.',
  },
  otelMetricsExporter: {
    env: ['OTEL_METRICS_EXPORTER'],
    parse: oneOf(['otlp', 'none']),
    default: 'otlp',
    doc: 'none: send no metrics.',
  },
  otelTracesSampler: {
    env: ['OTEL_TRACES_SAMPLER'],
    parse: oneOf(SAMPLERS),
    default: 'parentbased_always_on',
    doc: 'Selects the traces that are sent.',
  },
  otelTracesSamplerArg: {
    env: ['OTEL_TRACES_SAMPLER_ARG'],
    parse: ratio,
    default: 1,
    doc: 'Fraction of the traces that `traceidratio` and `parentbased_traceidratio` select.',
  },
  otelMetricExportInterval: {
    env: ['OTEL_METRIC_EXPORT_INTERVAL'],
    parse: integer(1, MAX_INTERVAL_MS),
    default: MS_PER_MINUTE,
    unit: 'milliseconds',
    doc: 'Time between two exports of the metrics.',
  },
  otelSdkDisabled: {
    env: ['OTEL_SDK_DISABLED'],
    parse: flag,
    default: false,
    doc: 'Send nothing, even if there is a collector.',
  },
  otelBspScheduleDelay: {
    env: ['OTEL_BSP_SCHEDULE_DELAY'],
    parse: integer(1, MAX_INTERVAL_MS),
    default: 5000,
    unit: 'milliseconds',
    doc: 'Time between two exports of traces.',
  },
  otelBspMaxQueueSize: {
    env: ['OTEL_BSP_MAX_QUEUE_SIZE'],
    parse: integer(1, MAX_QUEUE_SIZE),
    default: 2048,
    doc: 'Maximum number of spans that wait for an export; further ones are dropped.',
  },
} as const satisfies OptionTable

/** Options of the export to an OpenTelemetry collector. */
export type OtelOptions = Parsed<typeof OTEL_OPTIONS>
