import type { CheckOrder } from '../input/check-order.ts'
import type { Logger } from '../log/logger.ts'
import type { EventStreams } from '../streams/event-streams.ts'
import type { BodyBudget } from './body-budget.ts'
import type { HttpLimits } from './connections.ts'
import type { Caller, First, Reply, Route, RouteShape } from './route.ts'

/** What an app is made of. */
export interface AppOptions<Access, World = unknown> {
  readonly routes: readonly Route<Access, World>[]
  /** Given to every handler beside the request. */
  readonly world: World
  /** Put before every route's url: '' or '/base'. */
  readonly basePath: string
  readonly order: CheckOrder
  /** Who calls, and may they? Called before the body is read. Throws a Problem when not. */
  readonly authorize: (caller: Caller, route: RouteShape) => Access | Promise<Access>
  /** Turns any failure of a request into its reply. Failures: Refusal, InvalidRequest, Problem, anything else (500). */
  readonly renderError: (error: unknown, caller: Caller) => Reply
  /** Reads the query string (without '?') into the object that the query schema checks. */
  readonly parseQuery: (text: string) => Record<string, unknown>
  /** Longest body, as sent and when inflated. */
  readonly bodyLimitBytes: number
  readonly logger: Logger
  /** Called before anything else: headers for whatever the reply will be, or the whole reply (CORS preflight). */
  readonly first?: First
  /** Compress replies of at least 1024 bytes for clients that accept it; no by default. */
  readonly compress?: boolean
  /** Hears of every reply that was sent, for series. */
  readonly onReply?: (seen: SeenReply) => void
  /** What is ended when the app closes, whose requests would not end by themselves. */
  readonly streams?: Pick<EventStreams, 'close'>
  /** Bounds for connections, where they differ from `DEFAULT_LIMITS`. */
  readonly limits?: Partial<HttpLimits>
  /** Memory for bodies; shared by apps of one process. One of its own by default. */
  readonly bodies?: BodyBudget
  /**
   * Names the owners of a request, each of which has a share of the memory for bodies and for replies that are not read:
   * its token or user (if the caller was admitted), and its network. By default the network of the connection.
   */
  readonly owners?: (caller: Caller, access: Access | undefined) => readonly string[]
  /** Whether plain requests to hot routes are answered on the socket; yes by default. The replies are the same. */
  readonly fastLane?: boolean
}

/** A reply as series count it: nothing of it is the caller's choice. */
export interface SeenReply {
  /** Pattern of the route, without the base path; 'unknown' where no route was found. */
  readonly route: string
  /** One of the methods that routes have, HEAD or OPTIONS; 'other' for the rest. */
  readonly method: string
  readonly status: number
  readonly durationMs: number
}
