import { DEFAULT_BODY_MEMORY_BYTES } from '@burgee/kit/http/body-budget'
import { DEFAULT_LISTEN_BACKLOG } from '@burgee/kit/http/bounded-servers'
import type { OptionTable } from '@burgee/kit/options/options'
import { flag, integer } from '@burgee/kit/options/parsers'
import { MAX_NAMES } from '@burgee/protocol/evaluation'
import { FORWARDED_METRICS_OPTION } from './forwarded-metrics.ts'

/** Option for the fast path of plain requests, for the proxy and the server alike. */
export const FAST_LANE_OPTION = {
  httpFastLane: {
    env: ['HTTP_FAST_LANE'],
    parse: flag,
    default: true,
    doc: "Answer plain requests that SDKs make again and again on the socket, without the platform's HTTP server; the replies are the same.",
  },
} as const satisfies OptionTable

const MEBIBYTE = 1024 * 1024

/** Option for the memory of request bodies, for the proxy, the edge and the server alike. */
export const BODY_MEMORY_OPTION = {
  bodyMemoryLimit: {
    env: ['BODY_MEMORY_LIMIT'],
    parse: integer(MEBIBYTE, 1024 * 1024 * MEBIBYTE),
    default: DEFAULT_BODY_MEMORY_BYTES,
    unit: 'bytes',
    doc: 'Maximum memory for all request bodies of a process that are in flight, as sent and when inflated; else 503. A byte counts twice, and one eighth is reserved for bodies of up to 16 kB. The bodies of one token, user or network get at most half.',
  },
} as const satisfies OptionTable

/** Maximum body size of metrics and frontend contexts, for callers with a valid token. */
export const MAX_SDK_BODY_BYTES = 2 * MEBIBYTE

const MAX_BACKLOG = 65_535

/** Option for the length of the accept queue, for the proxy, the edge and the server alike. */
export const BACKLOG_OPTION = {
  listenBacklog: {
    env: ['LISTEN_BACKLOG'],
    parse: integer(1, MAX_BACKLOG),
    default: DEFAULT_LISTEN_BACKLOG,
    doc: 'Maximum number of connections that wait to be accepted while the process is busy; the kernel takes no more than `net.core.somaxconn`.',
  },
} as const satisfies OptionTable

const MAX_DELAY_SECONDS = 300

/** Option for the delay of a graceful shutdown, for the proxy and the server alike. */
export const SHUTDOWN_OPTION = {
  shutdownDelay: {
    env: ['SHUTDOWN_DELAY'],
    parse: integer(0, MAX_DELAY_SECONDS),
    default: 5,
    unit: 'seconds',
    doc: 'How long a process that is asked to end still listens, not ready any more, so that load balancers turn away first.',
  },
} as const satisfies OptionTable

const KILOBYTE = 1024
/** Default of the Unleash proxy. */
const DEFAULT_BODY_BYTES = 100 * KILOBYTE
const MAX_BODY_BYTES = 64 * KILOBYTE * KILOBYTE
const MAX_NAME_LIMIT = 1_000_000

/** Options for request limits, streams, body memory and shutdown. */
export const HTTP_OPTIONS = {
  evaluationBodyLimit: {
    env: ['FLAG_EVALUATION_BODY_LIMIT'],
    parse: integer(1, MAX_BODY_BYTES),
    default: DEFAULT_BODY_BYTES,
    unit: 'bytes',
    doc: 'Longest body of an evaluation request, as sent and when inflated; else 413.',
  },
  evaluationNameLimit: {
    env: ['FLAG_EVALUATION_NAME_LIMIT'],
    parse: integer(1, MAX_NAME_LIMIT),
    default: MAX_NAMES,
    doc: 'Most names of toggles in one evaluation request, repeated ones included; else 400.',
  },
  maxStreams: {
    env: ['FLAG_MAX_STREAMS'],
    parse: integer(0, 1_000_000),
    default: 10_000,
    doc: 'Maximum number of event streams of each kind at a time of each process; further clients get 429, and poll. One token or network alone gets at most nine tenths. 0 disables streams.',
  },
  ...BODY_MEMORY_OPTION,
  ...BACKLOG_OPTION,
  ...FORWARDED_METRICS_OPTION,
  ...FAST_LANE_OPTION,
  ...SHUTDOWN_OPTION,
} as const satisfies OptionTable
