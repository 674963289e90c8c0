import { DEFAULT_BODY_MEMORY_BYTES } from '@burgee/kit/http/body-budget'
import { DEFAULT_LISTEN_BACKLOG } from '@burgee/kit/http/bounded-servers'
import type { OptionTable } from '@burgee/kit/options/options'
import { flag, integer } from '@burgee/kit/options/parsers'
import { MAX_NAMES } from '@burgee/protocol/evaluation'
import { FORWARDED_METRICS_OPTION } from './forwarded-metrics.ts'

/** Option for the fast path of plain requests; the same for the proxy and the server. */
export const FAST_LANE_OPTION = {
  httpFastLane: {
    env: ['HTTP_FAST_LANE'],
    parse: flag,
    default: true,
    doc: 'Serve frequent, simple SDK requests directly on the socket, without the HTTP server of Node.js; the responses are the same.',
  },
} as const satisfies OptionTable

const MEBIBYTE = 1024 * 1024

/** Option that limits the memory for request bodies; the same for the proxy, the edge and the server. */
export const BODY_MEMORY_OPTION = {
  bodyMemoryLimit: {
    env: ['BODY_MEMORY_LIMIT'],
    parse: integer(MEBIBYTE, 1024 * 1024 * MEBIBYTE),
    default: DEFAULT_BODY_MEMORY_BYTES,
    unit: 'bytes',
    doc: 'Maximum memory for all request bodies in flight in a process, before and after decompression; further bodies get 503. Each byte counts twice. One eighth is reserved for bodies of up to 16 kB. The bodies of one token, user or network can use at most half.',
  },
} as const satisfies OptionTable

/** Maximum size of the body of metrics and of frontend contexts, for callers with a valid token. */
export const MAX_SDK_BODY_BYTES = 2 * MEBIBYTE

const MAX_BACKLOG = 65_535

/** Option for the length of the accept queue; the same for the proxy, the edge and the server. */
export const BACKLOG_OPTION = {
  listenBacklog: {
    env: ['LISTEN_BACKLOG'],
    parse: integer(1, MAX_BACKLOG),
    default: DEFAULT_LISTEN_BACKLOG,
    doc: 'Maximum number of connections waiting to be accepted while the process is busy; the kernel limits it to `net.core.somaxconn`.',
  },
} as const satisfies OptionTable

const MAX_DELAY_SECONDS = 300

/** Option for the delay before a graceful shutdown; the same for the proxy and the server. */
export const SHUTDOWN_OPTION = {
  shutdownDelay: {
    env: ['SHUTDOWN_DELAY'],
    parse: integer(0, MAX_DELAY_SECONDS),
    default: 5,
    unit: 'seconds',
    doc: 'Time between the signal to stop and the end of listening. During this time the process reports that it is not ready, so that load balancers stop sending requests.',
  },
} as const satisfies OptionTable

const KILOBYTE = 1024
/** Default value in the Unleash proxy. */
const DEFAULT_BODY_BYTES = 100 * KILOBYTE
const MAX_BODY_BYTES = 64 * KILOBYTE * KILOBYTE
const MAX_NAME_LIMIT = 1_000_000

/** Options for request limits, streams, body memory and graceful shutdown. */
export const HTTP_OPTIONS = {
  evaluationBodyLimit: {
    env: ['FLAG_EVALUATION_BODY_LIMIT'],
    parse: integer(1, MAX_BODY_BYTES),
    default: DEFAULT_BODY_BYTES,
    unit: 'bytes',
    doc: 'Maximum body size of an evaluation request, before and after decompression; larger bodies get 413.',
  },
  evaluationNameLimit: {
    env: ['FLAG_EVALUATION_NAME_LIMIT'],
    parse: integer(1, MAX_NAME_LIMIT),
    default: MAX_NAMES,
    doc: 'Maximum number of flag names in one evaluation request, including repeated ones; requests with more names get 400.',
  },
  maxStreams: {
    env: ['FLAG_MAX_STREAMS'],
    parse: integer(0, 1_000_000),
    default: 10_000,
    doc: 'Maximum number of concurrent event streams of each kind per process; further clients get 429 and fall back to polling. One token or network gets at most nine tenths. 0 disables streams.',
  },
  ...BODY_MEMORY_OPTION,
  ...BACKLOG_OPTION,
  ...FORWARDED_METRICS_OPTION,
  ...FAST_LANE_OPTION,
  ...SHUTDOWN_OPTION,
} as const satisfies OptionTable
