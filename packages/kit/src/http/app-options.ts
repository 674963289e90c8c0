import type { CheckOrder } from '../input/check-order.ts'
import type { Logger } from '../log/logger.ts'
import type { EventStreams } from '../streams/event-streams.ts'
import type { BodyBudget } from './body-budget.ts'
import type { HttpLimits } from './connections.ts'
import type { RequestTracer } from './request-tracer.ts'
import type { Caller, PreRequestHook, Reply, Route, RouteShape } from './route.ts'

/** Options of `createApp`. */
export interface AppOptions<Access, World = unknown> {
  readonly routes: readonly Route<Access, World>[]
  /** Shared state that every handler receives along with the request. */
  readonly world: World
  /** Prefix of the URLs of all routes: '' or '/base'. */
  readonly basePath: string
  readonly order: CheckOrder
  /** Authenticates and authorizes the caller before the body is read. Throws a Problem if access is denied. */
  readonly authorize: (caller: Caller, route: RouteShape) => Access | Promise<Access>
  /**
   * Renders the reply to a failed request. The error is a Refusal, an InvalidRequest, a Problem, or any other error
   * (500).
   */
  readonly renderError: (error: unknown, caller: Caller, request: FailedRequest<Access>) => Reply
  /** Parses the query string (without '?') into the object that is validated against the query schema. */
  readonly parseQuery: (text: string) => Record<string, unknown>
  /** Maximum body size in bytes, both before and after decompression. */
  readonly bodyLimitBytes: number
  readonly logger: Logger
  /** Pre-request hook: returns either extra headers for the reply, or the whole reply (as for a CORS preflight). */
  readonly first?: PreRequestHook
  /** True to compress replies of at least 1024 bytes if the client accepts compression. Default: false. */
  readonly compress?: boolean
  /** Called after each reply has been sent, for metrics. */
  readonly onReply?: (seen: CompletedReply) => void
  /** Creates a span for each request; undefined if requests are not traced. */
  readonly tracer?: RequestTracer | undefined
  /** Event streams that are closed together with the app. Without this, their requests would never end. */
  readonly streams?: Pick<EventStreams, 'close'>
  /** Connection limits that override `DEFAULT_LIMITS`. */
  readonly limits?: Partial<HttpLimits>
  /** Memory budget for request bodies, shared by the apps of a process. Default: a new budget. */
  readonly bodies?: BodyBudget
  /**
   * Returns the keys of the owners to which a request is charged: its token or user (if the caller was authorized) and
   * its network. Each owner may use only part of the memory for request bodies and unread replies. By default, the only
   * owner is the network of the connection.
   */
  readonly owners?: (caller: Caller, access: Access | undefined) => readonly string[]
  /** True to answer plain requests to hot routes directly on the socket, with identical replies. Default: true. */
  readonly fastLane?: boolean
}

/** Request that failed. */
export interface FailedRequest<Access> {
  /** Route pattern without the base path, or 'unknown' if no route matched. */
  readonly route: string
  /** Undefined if the request failed before its caller was authorized. */
  readonly access: Access | undefined
}

/**
 * Data about a reply, for metrics. Callers cannot choose these values freely, so the number of label values is bounded.
 */
export interface CompletedReply {
  /** Route pattern without the base path, or 'unknown' if no route matched. */
  readonly route: string
  /** Method of a route, or HEAD or OPTIONS; 'other' for all other methods. */
  readonly method: string
  readonly status: number
  readonly durationMs: number
}
