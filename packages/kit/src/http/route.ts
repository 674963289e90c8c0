import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TSchema } from 'typebox'
import type { Content } from './content.ts'

/** HTTP methods of routes; GET routes also answer HEAD. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Unvalidated parts of a request, available to handlers and checks. */
export interface Caller {
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Decoded but unvalidated path parameters, for checks before validation. */
  readonly params: Readonly<Record<string, string>>
  /** Address of the peer socket; IPv4-mapped addresses are converted to IPv4. */
  readonly remoteAddress: string
  /** Request id, for the log. */
  readonly id: string
  /** Exit that sends the reply. Long-running work uses the exit to check whether the client is gone. */
  readonly exit?: { readonly isGone?: boolean } | undefined
}

/** Validated parts of a request; `access` is the result of the app's authorization. */
export interface Input<Access, P, Q, B> {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly access: Access
  readonly caller: Caller
}

/** Shared empty object: header blocks are cached by the identity of header objects. */
const NO_HEADERS = {}
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

/**
 * A reply for all cases except status 200 with JSON: another status, no body, text, bytes, or additional headers. If
 * `body` is undefined, neither a body nor a content type is sent.
 */
export class Reply {
  readonly status: number
  readonly body: string | Buffer | Content | undefined
  readonly headers: Readonly<Record<string, string | string[]>>
  /**
   * True if the request has changed nothing although its method is not GET. A matching If-None-Match is then answered
   * with 304.
   */
  readonly isSafe: boolean = false

  constructor(
    status: number,
    body?: string | Buffer | Content,
    headers: Readonly<Record<string, string | string[]>> = NO_HEADERS,
  ) {
    this.status = status
    this.body = body
    this.headers = headers
  }

  /** Creates a JSON reply with a status and further headers. */
  static json(status: number, value: unknown, headers?: Readonly<Record<string, string>>): Reply {
    return new Reply(status, JSON.stringify(value), headers === undefined ? JSON_TYPE : { ...JSON_TYPE, ...headers })
  }
}

/** A reply to a read-only POST. Source: OFREP, which uses POST with `If-None-Match`. */
export class SafeReply extends Reply {
  override readonly isSafe = true
}

/** Pre-request hook: returns extra headers, or the whole reply. */
export type PreRequestHook = (caller: Caller) => Readonly<Record<string, string>> | Reply

/** Documentation of one reply: a schema for JSON, otherwise a media type. */
export interface ReplyDoc {
  readonly description: string
  readonly schema?: TSchema
  readonly contentType?: string
  /** Media type of an alternative text form, sent on request. */
  readonly textType?: string
}

/** A body format besides JSON; `read` converts a body to the equivalent JSON value. */
export interface BodyForm {
  /** Media type in lower case, without parameters. */
  readonly mediaType: string
  /** For the documentation. */
  readonly schema: TSchema
  /** Called after authorization. Throws or rejects with a Refusal. */
  readonly read: (bytes: Buffer, contentType: string) => unknown
}

/** Declaration of an endpoint without its handler. `permission` is interpreted only by the app's authorization. */
export interface RouteShape {
  readonly method: Method
  /** Pattern with `:name` parameters. */
  readonly url: string
  readonly summary: string
  readonly description?: string
  /** True to mark the endpoint as deprecated in the documentation. */
  readonly isDeprecated?: boolean
  /** Group of the endpoint in the documentation. */
  readonly tag: string
  /** Required permission: a name, null for any authenticated caller, 'public' for everyone. */
  readonly permission: string | null
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** True if the body is optional. If it is absent, the handler gets undefined, or the default of the schema. */
  readonly bodyOptional?: boolean
  /**
   * Names of properties that are rejected in the body, unless the schema of their object declares them (see
   * NEVER_IGNORED).
   */
  readonly neverIgnored?: readonly string[]
  /** Additional body formats. Only apps with the order 'authorize-first' support them. */
  readonly bodyForms?: readonly BodyForm[]
  /**
   * True for a frequently used route. Plain requests to it are answered directly on the socket, with identical replies.
   */
  readonly isHot?: boolean
  /**
   * Low priority, if set. Once low-priority requests have used a millisecond of an event loop turn, further
   * low-priority requests wait.
   */
  readonly priority?: 'low'
  /** Maximum body size of this route; overrides the limit of the app. */
  readonly bodyLimitBytes?: number
  /** True if path parameters may contain literal percent signs that do not begin an escape. */
  readonly takesRawPath?: boolean
  readonly replies: Readonly<Record<number, ReplyDoc>>
  /** Types of the events that this route can write to the app's event log; omitted if it writes none. */
  readonly eventTypes?: readonly string[]
  /** Names of the documented errors of this route. */
  readonly problems: readonly string[]
}

/**
 * An endpoint as plain data: the source of validation, handler types, the OpenAPI operation and generated tests. The
 * handler gets the input and the app's world.
 */
export interface Route<Access = unknown, World = unknown> extends RouteShape {
  /**
   * Pre-request hook, called before authorization and before the body is read: returns headers for any reply, or the
   * whole reply (such as 429).
   */
  readonly first?: (caller: Caller, world: World) => ReturnType<PreRequestHook>
  readonly handle: (input: Input<Access, never, never, never>, world: World) => unknown
}

type StaticOf<S> = S extends TSchema ? Static<S> : undefined

/** A route as written; its schemas determine the types of the handler's input. */
export interface RouteSpec<Access, World, P, Q, B> extends Omit<RouteShape, 'params' | 'query' | 'body'> {
  readonly params?: P & TSchema
  readonly query?: Q & TSchema
  readonly body?: B & TSchema
  readonly first?: Route<Access, World>['first']
  readonly handle: (input: Input<Access, StaticOf<P>, StaticOf<Q>, StaticOf<B>>, world: World) => unknown
}

/**
 * Returns a function that creates routes for apps with this `Access` and `World`. A handler returns a `Reply`, or a
 * JSON value that is sent with the lowest status among `replies`. To fail, the handler throws a Problem.
 */
export function routesFor<Access, World = unknown>() {
  return function route<P = undefined, Q = undefined, B = undefined>(
    spec: RouteSpec<Access, World, P, Q, B>,
  ): Route<Access, World> {
    return spec as unknown as Route<Access, World>
  }
}
