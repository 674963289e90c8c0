import { describeSource, type OptionRow, type OptionSources, type OptionTable } from '@burgee/kit/options/options'
import { flag, type Parser } from '@burgee/kit/options/parsers'

/** Parser that accepts any value. The value is never read. */
const anything: Parser<string> = { expects: 'anything', parse: (value) => String(value) }

const unused = (env: string, doc: string, parse: OptionRow['parse'] = anything) => ({
  env: [env],
  parse,
  secret: true,
  doc,
})

/**
 * Options of comparable products that this edge accepts but that have no effect. The options are accepted but never
 * read. At startup, a warning for each of these options that is set names the option and its effect in the other
 * products.
 */
export const COMMERCIAL_OPTIONS = {
  s3BucketName: unused('S3_BUCKET_NAME', 'would store tokens and flags in S3; use BACKUP_FOLDER or REDIS_URL'),
  s3ForcePathStyle: unused('S3_FORCE_PATH_STYLE', 'would set the URL style of the S3 bucket', flag),
  sentryDsn: unused('SENTRY_DSN', 'would send errors; they are in the log'),
  sentryTracingRate: unused('SENTRY_TRACING_RATE', 'would set the percentage of traces that are sent'),
  sentryDebug: unused('SENTRY_DEBUG', 'would log the sent data', flag),
  sentryEnableLogs: unused('SENTRY_ENABLE_LOGS', 'would send the log', flag),
  datadogUrl: unused('DATADOG_URL', 'would send metrics; Datadog reads /internal-backstage/metrics'),
  prometheusRemoteWriteUrl: unused(
    'PROMETHEUS_REMOTE_WRITE_URL',
    'would push metrics; Prometheus reads /internal-backstage/metrics',
  ),
  prometheusPushInterval: unused('PROMETHEUS_PUSH_INTERVAL', 'would set the interval of pushed metrics'),
  prometheusUsername: unused('PROMETHEUS_USERNAME', 'would be the user for pushed metrics'),
  prometheusPassword: unused('PROMETHEUS_PASSWORD', 'would be the password for pushed metrics'),
  prometheusUserId: unused('PROMETHEUS_USER_ID', 'would be the user for pushed metrics'),
  unleashClientSecret: unused(
    'UNLEASH_CLIENT_SECRET',
    'would sign requests to a commercial upstream; Burgee fetches flags with TOKENS',
  ),
  desiredEnvironments: unused('DESIRED_ENVIRONMENTS', 'would select environments; Burgee selects them by token'),
  desiredProjects: unused('DESIRED_PROJECTS', 'would select projects; Burgee selects them by token'),
  clientId: unused('CLIENT_ID', 'would name the customer to a commercial upstream'),
  edgeHosting: unused('EDGE_HOSTING', 'would name the host of the node'),
  consumption: unused('CONSUMPTION', 'would enable billing by usage', flag),
  edgeDeferTokenValidation: unused(
    'EDGE_DEFER_TOKEN_VALIDATION',
    'would reject new tokens until they are validated; here the request waits for the validation, which is batched',
    flag,
  ),
  delta: unused('DELTA', 'would fetch only changes; STREAMING does if the upstream supports it', flag),
  deltaDiff: unused('DELTA_DIFF', 'would compare fetched changes with all flags', flag),
} as const satisfies OptionTable

/** Returns one warning per option that is set. Each warning names the option as the user wrote it. */
export function commercialWarnings(values: Readonly<Record<string, unknown>>, sources: OptionSources): string[] {
  return Object.entries(COMMERCIAL_OPTIONS)
    .filter(([name]) => values[name] !== undefined)
    .map(([name, { doc }]) => `${describeSource(COMMERCIAL_OPTIONS, name, sources)} has no effect: it ${doc}`)
}
