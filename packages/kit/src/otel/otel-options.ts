import type { OptionTable, Parsed } from '../options/options.ts'
import { flag, headerName, inHeader, integer, oneOf, type Parser, text } from '../options/parsers.ts'

const MAX_INTERVAL_MS = 2_147_483_647
const MS_PER_MINUTE = 60_000
const MAX_QUEUE_SIZE = 1_000_000

/**
 * Creates a parser of `key=value` pairs, separated by commas; values are percent-encoded. Source: OpenTelemetry, W3C
 * Baggage
 */
const pairs = (key: Parser<string>, value: Parser<string>): Parser<Readonly<Record<string, string>>> => ({
  expects: 'pairs like key=value, separated by commas',
  parse: (given) => {
    const entries = typeof given === 'object' && given !== null ? Object.entries(given) : splitPairs(text.parse(given))
    return Object.fromEntries(entries.map(([name, one]) => [key.parse(name), value.parse(one)]))
  },
})

function splitPairs(given: string): (readonly [string, string])[] {
  const items = given.split(',').filter((item) => item.trim() !== '')
  return items.map((item) => {
    const at = item.indexOf('=')
    if (at < 1) throw new TypeError()
    return [item.slice(0, at).trim(), decodePercents(item.slice(at + 1).trim())]
  })
}

/** Returns a text unchanged if its percent signs encode nothing. */
function decodePercents(given: string): string {
  try {
    return decodeURIComponent(given)
  } catch {
    return given
  }
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

const DEFAULT_SAMPLER: SamplerName = 'parentbased_always_on'

/**
 * Options of the export to an OpenTelemetry collector, with the variables that OpenTelemetry defines. Without an
 * endpoint nothing is sent.
 */
export const OTEL_OPTIONS = {
  otelExporterOtlpEndpoint: {
    env: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
    parse: text,
    doc: 'URL of an OpenTelemetry collector, such as `http://localhost:4318`, which receives metrics, traces and events.',
  },
  otelExporterOtlpTracesEndpoint: {
    env: ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
    parse: text,
    defaultDoc: '/v1/traces of the collector',
    doc: 'URL that receives traces.',
  },
  otelExporterOtlpMetricsEndpoint: {
    env: ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'],
    parse: text,
    defaultDoc: '/v1/metrics of the collector',
    doc: 'URL that receives metrics.',
  },
  otelExporterOtlpLogsEndpoint: {
    env: ['OTEL_EXPORTER_OTLP_LOGS_ENDPOINT'],
    parse: text,
    defaultDoc: '/v1/logs of the collector',
    doc: 'URL that receives events.',
  },
  otelExporterOtlpProtocol: {
    env: ['OTEL_EXPORTER_OTLP_PROTOCOL'],
    parse: oneOf(['http/protobuf', 'http/json', 'grpc']),
    default: 'http/protobuf',
    doc: 'Protocol of the collector. With grpc, which is not supported, nothing is sent.',
  },
  otelExporterOtlpHeaders: {
    env: ['OTEL_EXPORTER_OTLP_HEADERS'],
    parse: pairs(headerName, inHeader(text)),
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
    parse: pairs(text, text),
    doc: 'Further attributes of the service: `key=value` pairs, separated by commas.',
  },
  otelTracesExporter: {
    env: ['OTEL_TRACES_EXPORTER'],
    parse: text,
    default: 'otlp',
    doc: 'Send traces with `otlp`, alone or in a list; send none with any other value.',
  },
  otelMetricsExporter: {
    env: ['OTEL_METRICS_EXPORTER'],
    parse: text,
    default: 'otlp',
    doc: 'Send metrics with `otlp`, alone or in a list; send none with any other value.',
  },
  otelLogsExporter: {
    env: ['OTEL_LOGS_EXPORTER'],
    parse: text,
    default: 'none',
    doc: 'Send an event for each flag that a caller requests by name with `otlp`, alone or in a list; send none with any other value.',
  },
  evaluationEventContextId: {
    env: ['EVALUATION_EVENT_CONTEXT_ID'],
    parse: flag,
    default: false,
    doc: 'Add the user id of the context to evaluation events, as `feature_flag.context.id`.',
  },
  otelTracesSampler: {
    env: ['OTEL_TRACES_SAMPLER'],
    parse: text,
    default: DEFAULT_SAMPLER,
    doc: 'Selects the traces that are sent: always_on, always_off or traceidratio, also with the prefix parentbased_. The default replaces an unknown sampler, with a warning.',
  },
  otelTracesSamplerArg: {
    env: ['OTEL_TRACES_SAMPLER_ARG'],
    parse: text,
    default: '1',
    doc: 'Fraction from 0 to 1 of the traces that `traceidratio` and `parentbased_traceidratio` select.',
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
    parse: integer(0, MAX_INTERVAL_MS),
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
  otelBspMaxExportBatchSize: {
    env: ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE'],
    parse: integer(1, MAX_QUEUE_SIZE),
    default: 512,
    doc: 'Maximum number of spans in one request to the collector; at most OTEL_BSP_MAX_QUEUE_SIZE.',
  },
  otelBspExportTimeout: {
    env: ['OTEL_BSP_EXPORT_TIMEOUT'],
    parse: integer(1, MAX_INTERVAL_MS),
    default: 30_000,
    unit: 'milliseconds',
    doc: 'Time limit of an export of traces, including its retries.',
  },
  otelBlrpScheduleDelay: {
    env: ['OTEL_BLRP_SCHEDULE_DELAY'],
    parse: integer(0, MAX_INTERVAL_MS),
    default: 1000,
    unit: 'milliseconds',
    doc: 'Time between two exports of evaluation events.',
  },
  otelBlrpMaxQueueSize: {
    env: ['OTEL_BLRP_MAX_QUEUE_SIZE'],
    parse: integer(1, MAX_QUEUE_SIZE),
    default: 2048,
    doc: 'Maximum number of evaluation events that wait for an export; further ones are dropped.',
  },
  otelBlrpMaxExportBatchSize: {
    env: ['OTEL_BLRP_MAX_EXPORT_BATCH_SIZE'],
    parse: integer(1, MAX_QUEUE_SIZE),
    default: 512,
    doc: 'Maximum number of evaluation events in one request to the collector; at most OTEL_BLRP_MAX_QUEUE_SIZE.',
  },
  otelBlrpExportTimeout: {
    env: ['OTEL_BLRP_EXPORT_TIMEOUT'],
    parse: integer(1, MAX_INTERVAL_MS),
    default: 30_000,
    unit: 'milliseconds',
    doc: 'Time limit of an export of evaluation events, including its retries.',
  },
} as const satisfies OptionTable

/** Options of the export to an OpenTelemetry collector. */
export type OtelOptions = Parsed<typeof OTEL_OPTIONS>

/** Kinds of data that a collector receives. */
const SIGNALS = ['traces', 'metrics', 'logs'] as const

/** Kind of data that a collector receives. */
export type Signal = (typeof SIGNALS)[number]

/** Returns the URL to which data of one kind is sent; undefined if none is sent. Ignores values that are no URL. */
export function getSignalUrl(options: OtelOptions, signal: Signal): string | undefined {
  const { exporter, endpoint } = {
    traces: { exporter: options.otelTracesExporter, endpoint: options.otelExporterOtlpTracesEndpoint },
    metrics: { exporter: options.otelMetricsExporter, endpoint: options.otelExporterOtlpMetricsEndpoint },
    logs: { exporter: options.otelLogsExporter, endpoint: options.otelExporterOtlpLogsEndpoint },
  }[signal]
  const isSent = exporter.split(',').some((name) => name.trim() === 'otlp')
  if (!isSent || options.otelSdkDisabled) return undefined
  if (endpoint !== undefined) return isHttpUrl(endpoint) ? endpoint : undefined
  const { otelExporterOtlpEndpoint } = options
  if (otelExporterOtlpEndpoint === undefined || !isHttpUrl(otelExporterOtlpEndpoint)) return undefined
  const url = new URL(otelExporterOtlpEndpoint)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/${signal}`
  return url.href
}

/** Returns all URLs to which data is sent. */
export function listSignalUrls(options: OtelOptions): string[] {
  return SIGNALS.map((signal) => getSignalUrl(options, signal)).filter((url) => url !== undefined)
}

/** Returns the sampler; the default for an unknown name, and for a fraction that is none. */
export function getSampler({ otelTracesSampler, otelTracesSamplerArg }: OtelOptions): {
  readonly name: SamplerName
  readonly ratio: number
} {
  const name = SAMPLERS.find((one) => one === otelTracesSampler) ?? DEFAULT_SAMPLER
  const ratio = Number(otelTracesSamplerArg)
  return { name, ratio: ratio >= 0 && ratio <= 1 ? ratio : 1 }
}

/**
 * Returns a warning for each value that cannot be used. Such values never prevent a start, because these variables are
 * often set for all services of a cluster.
 */
export function listOtelWarnings(options: OtelOptions): string[] {
  const { otelSdkDisabled, otelTracesSampler: sampler, otelTracesSamplerArg: ratio } = options
  if (otelSdkDisabled) return []
  const endpoints = [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', options.otelExporterOtlpEndpoint],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', options.otelExporterOtlpTracesEndpoint],
    ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', options.otelExporterOtlpMetricsEndpoint],
    ['OTEL_EXPORTER_OTLP_LOGS_ENDPOINT', options.otelExporterOtlpLogsEndpoint],
  ] as const
  const warnings = endpoints
    .filter(([, url]) => url !== undefined && !isHttpUrl(url))
    .map(([name]) => `${name} must be an http(s) URL: nothing is sent to it`)
  if (listSignalUrls(options).length === 0) return warnings
  if (options.otelExporterOtlpProtocol === 'grpc') {
    warnings.push(
      'OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported: nothing is sent. Use http/protobuf, usually on port 4318',
    )
  }
  const used = getSampler(options)
  if (used.name !== sampler) warnings.push(`OTEL_TRACES_SAMPLER is unknown: ${used.name} is used`)
  if (used.name.endsWith('ratio') && used.ratio !== Number(ratio)) {
    warnings.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1: all traces are sampled')
  }
  return warnings
}

/** Names of all variables that have an effect, including the names of files with secrets. */
const KNOWN_VARIABLES: ReadonlySet<string> = new Set(
  Object.values(OTEL_OPTIONS).flatMap(({ env: [name] }) => [name, `${name}_FILE`]),
)

/** Returns a warning that names the OpenTelemetry variables that are set but have no effect; undefined if none is. */
export function describeUnusedVariables(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const unused = Object.keys(env).filter((name) => name.startsWith('OTEL_') && env[name] && !KNOWN_VARIABLES.has(name))
  return unused.length === 0
    ? undefined
    : `These variables are not supported and have no effect: ${unused.sort().join(', ')}`
}

const isHttpUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)
