import { describeSource, type OptionRow, type OptionSources, type OptionTable } from '@burgee/kit/options/options'
import { flag, type Parser } from '@burgee/kit/options/parsers'

/** Accepts any value; nothing reads it. */
const anything: Parser<string> = { expects: 'anything', parse: (value) => String(value) }

const unused = (env: string, doc: string, parse: OptionRow['parse'] = anything) => ({
  env: [env],
  parse,
  secret: true,
  doc,
})

/**
 * Options of comparable products that have no effect here. They are accepted but never read. A warning at startup names
 * each one that is set and what it would have done.
 */
export const COMMERCIAL_OPTIONS = {
  s3BucketName: unused('S3_BUCKET_NAME', 'would keep tokens and flags in S3; BACKUP_FOLDER or REDIS_URL do that here'),
  s3ForcePathStyle: unused('S3_FORCE_PATH_STYLE', 'would say how the bucket in S3 is addressed', flag),
  otelExporterOtlpEndpoint: unused(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'would send traces there; series are at /internal-backstage/metrics',
  ),
  otelExporterOtlpProtocol: unused('OTEL_EXPORTER_OTLP_PROTOCOL', 'would say by which protocol traces are sent'),
  sentryDsn: unused('SENTRY_DSN', 'would send errors there; they are in the log'),
  sentryTracingRate: unused('SENTRY_TRACING_RATE', 'would say how many traces are sent'),
  sentryDebug: unused('SENTRY_DEBUG', 'would tell of what is sent', flag),
  sentryEnableLogs: unused('SENTRY_ENABLE_LOGS', 'would send the log there', flag),
  datadogUrl: unused('DATADOG_URL', 'would send series there; Datadog reads /internal-backstage/metrics'),
  prometheusRemoteWriteUrl: unused(
    'PROMETHEUS_REMOTE_WRITE_URL',
    'would push series there; Prometheus reads /internal-backstage/metrics',
  ),
  prometheusPushInterval: unused('PROMETHEUS_PUSH_INTERVAL', 'would say how often series are pushed'),
  prometheusUsername: unused('PROMETHEUS_USERNAME', 'would be the user for pushed series'),
  prometheusPassword: unused('PROMETHEUS_PASSWORD', 'would be the password for pushed series'),
  prometheusUserId: unused('PROMETHEUS_USER_ID', 'would be the user for pushed series'),
  unleashClientSecret: unused(
    'UNLEASH_CLIENT_SECRET',
    'would sign requests to a commercial upstream; TOKENS fetch here',
  ),
  desiredEnvironments: unused('DESIRED_ENVIRONMENTS', 'would choose environments; the tokens do that here'),
  desiredProjects: unused('DESIRED_PROJECTS', 'would choose projects; the tokens do that here'),
  clientId: unused('CLIENT_ID', 'would name the customer to a commercial upstream'),
  edgeHosting: unused('EDGE_HOSTING', 'would say who hosts the node'),
  consumption: unused('CONSUMPTION', 'would bill by what is used', flag),
  edgeDeferTokenValidation: unused(
    'EDGE_DEFER_TOKEN_VALIDATION',
    'would refuse new tokens until they are validated; here the request waits for that, and tokens are validated together',
    flag,
  ),
  delta: unused('DELTA', 'would fetch changes alone; STREAMING does that here by itself, where the upstream can', flag),
  deltaDiff: unused('DELTA_DIFF', 'would compare fetched changes with all flags', flag),
} as const satisfies OptionTable

/** Returns one warning per option that is set, naming the option as it was given. */
export function commercialWarnings(values: Readonly<Record<string, unknown>>, sources: OptionSources): string[] {
  return Object.entries(COMMERCIAL_OPTIONS)
    .filter(([name]) => values[name] !== undefined)
    .map(([name, { doc }]) => `${describeSource(COMMERCIAL_OPTIONS, name, sources)} has no effect: it ${doc}`)
}
