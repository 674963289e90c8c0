import type { OptionTable } from '@burgee/kit/options/options'
import { basePath, flag, integer, listenAddress } from '@burgee/kit/options/parsers'
import { FORWARDED_METRICS_OPTION } from '@burgee/serving/forwarded-metrics'
import { BACKLOG_OPTION, BODY_MEMORY_OPTION, FAST_LANE_OPTION, SHUTDOWN_OPTION } from '@burgee/serving/http-options'
import { DEFAULT_FLAG_SERIES_LIMIT } from '../named-counter.ts'

const MAX_FLAG_SERIES = 100_000
const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400
/** Upper bound of the header time limit: a request as a whole, including its headers, may take this long. */
const MAX_REQUEST_SECONDS = 60

/** Listening address and connection handling. */
export const HTTP_OPTIONS = {
  port: {
    env: ['HTTP_PORT', 'PORT'],
    parse: integer(0, 65_535),
    default: 4242,
    doc: 'Listening port; 0 takes a free one.',
  },
  host: {
    env: ['HTTP_HOST'],
    parse: listenAddress,
    default: '0.0.0.0',
    doc: 'Address to listen on; `burgee start` listens on 127.0.0.1 by default.',
  },
  baseUriPath: { env: ['BASE_URI_PATH'], parse: basePath, default: '', doc: 'Path below which everything is served.' },
  serverKeepAliveTimeout: {
    env: ['SERVER_KEEPALIVE_TIMEOUT'],
    parse: integer(1, HOUR_SECONDS),
    default: 72,
    unit: 'seconds',
    doc: 'How long a connection may stay open between two requests; longer than a load balancer in front keeps its own.',
  },
  serverHeadersTimeout: {
    env: ['SERVER_HEADERS_TIMEOUT'],
    parse: integer(1, MAX_REQUEST_SECONDS),
    default: 20,
    unit: 'seconds',
    doc: 'How long the headers of a request may take.',
  },
  accessControlMaxAge: {
    env: ['ACCESS_CONTROL_MAX_AGE'],
    parse: integer(0),
    default: DAY_SECONDS,
    unit: 'seconds',
    doc: 'How long browsers may keep what a preflight of the frontend API told them.',
  },
  ...BODY_MEMORY_OPTION,
  ...BACKLOG_OPTION,
  ...FAST_LANE_OPTION,
  ...SHUTDOWN_OPTION,
  enableOAS: {
    env: ['ENABLE_OAS'],
    parse: flag,
    defaultDoc: 'true',
    doc: 'Offer the OpenAPI document and its page below /docs.',
  },
  maxStreams: {
    env: ['MAX_STREAMS'],
    parse: integer(0, 1_000_000),
    default: 10_000,
    doc: 'Maximum number of event streams of each kind at a time; further clients get 429, and poll. One token or network alone gets at most nine tenths. 0 disables streams.',
  },
  maxStreamsPerUser: {
    env: ['MAX_STREAMS_PER_USER'],
    parse: integer(0, 1_000_000),
    default: 100,
    doc: 'Maximum number of event streams of one user at a time, signed in or with personal tokens (also those of a service account); further ones get 429. 0 disables them.',
  },
  serverMetrics: {
    env: ['SERVER_METRICS'],
    parse: flag,
    default: true,
    doc: 'Serve metrics for Prometheus at /internal-backstage/prometheus, without a token.',
  },
  ...FORWARDED_METRICS_OPTION,
  flagSeriesLimit: {
    env: ['FLAG_SERIES_LIMIT'],
    parse: integer(0, MAX_FLAG_SERIES),
    default: DEFAULT_FLAG_SERIES_LIMIT,
    doc: 'Maximum number of combinations of names for each of the series that name flags; further ones are counted with fewer names. 0: no series names a flag.',
  },
} as const satisfies OptionTable

/** Unleash options that are accepted without effect: the server always behaves as if they were off. */
export const INERT_OPTIONS = {
  checkVersion: {
    env: ['CHECK_VERSION'],
    parse: flag,
    default: false,
    doc: 'Accepted and without effect: nobody is ever asked for a newer version.',
  },
  sendTelemetry: {
    env: ['SEND_TELEMETRY'],
    parse: flag,
    default: false,
    doc: 'Accepted and without effect: nothing is ever sent to anybody.',
  },
} as const satisfies OptionTable
