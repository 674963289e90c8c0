import type { OptionTable } from '@burgee/kit/options/options'
import { basePath, flag, integer, listenAddress } from '@burgee/kit/options/parsers'
import { FORWARDED_METRICS_OPTION } from '@burgee/serving/forwarded-metrics'
import { BACKLOG_OPTION, BODY_MEMORY_OPTION, FAST_LANE_OPTION, SHUTDOWN_OPTION } from '@burgee/serving/http-options'
import { DEFAULT_FLAG_SERIES_LIMIT } from '../named-counter.ts'

const MAX_FLAG_SERIES = 100_000
const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400
/** Upper bound for the headers' time limit: the time limit for a whole request. */
const MAX_REQUEST_SECONDS = 60

/** Listening address and connection handling. */
export const HTTP_OPTIONS = {
  port: {
    env: ['HTTP_PORT', 'PORT'],
    parse: integer(0, 65_535),
    default: 4242,
    doc: 'Listening port; 0 picks a free one.',
  },
  host: {
    env: ['HTTP_HOST'],
    parse: listenAddress,
    default: '0.0.0.0',
    doc: 'Address to listen on; `burgee start` listens on 127.0.0.1 by default.',
  },
  baseUriPath: { env: ['BASE_URI_PATH'], parse: basePath, default: '', doc: 'Base path of all endpoints.' },
  serverKeepAliveTimeout: {
    env: ['SERVER_KEEPALIVE_TIMEOUT'],
    parse: integer(1, HOUR_SECONDS),
    default: 72,
    unit: 'seconds',
    doc: 'Idle timeout of a connection between two requests; set it higher than the timeout of the load balancer in front.',
  },
  serverHeadersTimeout: {
    env: ['SERVER_HEADERS_TIMEOUT'],
    parse: integer(1, MAX_REQUEST_SECONDS),
    default: 20,
    unit: 'seconds',
    doc: 'Timeout for receiving the headers of a request.',
  },
  accessControlMaxAge: {
    env: ['ACCESS_CONTROL_MAX_AGE'],
    parse: integer(0),
    default: DAY_SECONDS,
    unit: 'seconds',
    doc: 'Time that browsers may cache a preflight response of the frontend API.',
  },
  ...BODY_MEMORY_OPTION,
  ...BACKLOG_OPTION,
  ...FAST_LANE_OPTION,
  ...SHUTDOWN_OPTION,
  enableOAS: {
    env: ['ENABLE_OAS'],
    parse: flag,
    defaultDoc: 'true',
    doc: 'Serve the OpenAPI document and its page below /docs.',
  },
  maxStreams: {
    env: ['MAX_STREAMS'],
    parse: integer(0, 1_000_000),
    default: 10_000,
    doc: 'Maximum number of concurrent event streams of each kind; further clients get 429 and fall back to polling. One token or network gets at most nine tenths. 0 disables streams.',
  },
  maxStreamsPerUser: {
    env: ['MAX_STREAMS_PER_USER'],
    parse: integer(0, 1_000_000),
    default: 100,
    doc: 'Maximum number of concurrent event streams per user, with a session or with personal tokens (including those of service accounts); further ones get 429. 0 disables them.',
  },
  serverMetrics: {
    env: ['SERVER_METRICS'],
    parse: flag,
    default: true,
    doc: 'Serve Prometheus metrics at /internal-backstage/prometheus, without authentication.',
  },
  exposeImpactMetrics: {
    env: ['EXPOSE_IMPACT_METRICS'],
    parse: flag,
    default: false,
    doc: 'Serve the impact metrics that SDKs report to this server at /internal-backstage/impact/metrics, for Prometheus, without authentication.',
  },
  ...FORWARDED_METRICS_OPTION,
  flagSeriesLimit: {
    env: ['FLAG_SERIES_LIMIT'],
    parse: integer(0, MAX_FLAG_SERIES),
    default: DEFAULT_FLAG_SERIES_LIMIT,
    doc: 'Maximum number of label combinations for each series that names flags; further ones are counted with fewer labels. With 0, no series names a flag.',
  },
} as const satisfies OptionTable

/** Unleash options that are accepted but have no effect, because the server always behaves as if they were off. */
export const INERT_OPTIONS = {
  checkVersion: {
    env: ['CHECK_VERSION'],
    parse: flag,
    default: false,
    doc: 'Accepted without effect: Burgee never checks for newer versions.',
  },
  sendTelemetry: {
    env: ['SEND_TELEMETRY'],
    parse: flag,
    default: false,
    doc: 'Accepted without effect: Burgee never sends telemetry.',
  },
} as const satisfies OptionTable
