import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TSchema } from 'typebox'
import type { Content } from './content.ts'

/** HTTP methods of routes; GET routes also answer HEAD. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Parts of a request before validation, for handlers and checks. */
export interface Caller {
  readonly method: string
  /** Path and query of the URL, as the client sent them. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Path parameters, decoded but not yet validated, for checks that run before validation. */
  readonly params: Readonly<Record<string, string>>
  /** Address of the other end of the socket; an IPv4-mapped address is converted to IPv4. */
  readonly remoteAddress: string
  /** Request id, for the log. */
  readonly id: string
  /**
   * Exit through which the reply is sent. Long-running work can check `isGone` to stop when the client has
   * disconnected.
   */
  readonly exit?: { readonly isGone?: boolean } | undefined
}

/** Parts of a request after validation; `access` is the result of the app's authorization. */
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
 * Reply other than status 200 with JSON: with another status, without a body, with text or bytes, or with additional
 * headers. If `body` is undefined, neither a body nor a content type is sent.
 */
export class Reply {
  readonly status: number
  readonly body: string | Buffer | Content | undefined
  readonly headers: Readonly<Record<string, string | string[]>>
  /**
   * True if the request has changed nothing, although its method is not GET. If-None-Match with the current ETag is
   * then answered with 304.
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

  /** Creates a JSON reply with a status and optional additional headers. */
  static json(status: number, value: unknown, headers?: Readonly<Record<string, string>>): Reply {
    return new Reply(status, JSON.stringify(value), headers === undefined ? JSON_TYPE : { ...JSON_TYPE, ...headers })
  }
}

/** Reply to a POST that only reads data. Source: OFREP, which uses POST with `If-None-Match`. */
export class SafeReply extends Reply {
  override readonly isSafe = true
}

/** Pre-request hook: returns either additional headers or the whole reply. */
export type PreRequestHook = (caller: Caller) => Readonly<Record<string, string>> | Reply

/** Documentation of one reply: a schema if the reply is JSON, otherwise a media type. */
export interface ReplyDoc {
  readonly description: string
  readonly schema?: TSchema
  readonly contentType?: string
  /** Media type of a text form of the reply, which is sent if the client requests it. */
  readonly textType?: string
}

/** Format of a request body other than JSON; `read` converts the body to the equivalent JSON value. */
export interface BodyForm {
  /** Media type in lower case, without parameters. */
  readonly mediaType: string
  /** For the documentation. */
  readonly schema: TSchema
  /** Called after authorization. Throws or rejects with a Refusal. */
  readonly read: (bytes: Buffer, contentType: string) => unknown
}

/** Declaration of an endpoint, without its handler. Only the app's authorization interprets `permission`. */
export interface RouteShape {
  readonly method: Method
  /** URL pattern with parameters in the form `:name`. */
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
  /**
   * True if the body is optional. If the body is absent, the handler receives undefined, or the default of the schema.
   */
  readonly bodyOptional?: boolean
  /**
   * Names of properties that make a body invalid, unless the schema of their object declares them (see NEVER_IGNORED).
   */
  readonly neverIgnored?: readonly string[]
  /** Additional body formats. Body forms are supported only by apps with the order 'authorize-first'. */
  readonly bodyForms?: readonly BodyForm[]
  /**
   * True for a frequently used route. Plain requests to the route are answered directly on the socket; the replies are
   * identical.
   */
  readonly isHot?: boolean
  /**
   * 'low' to give way to other requests. Once low-priority requests have used one millisecond of a turn of the event
   * loop, further low-priority requests wait.
   */
  readonly priority?: 'low'
  /** Maximum body size of this route; overrides the limit of the app. */
  readonly bodyLimitBytes?: number
  /** True if path parameters may contain percent signs that do not begin a percent-encoded character. */
  readonly takesRawPath?: boolean
  readonly replies: Readonly<Record<number, ReplyDoc>>
  /** Types of events that this route can write to the event log of the app; omitted if it writes no events. */
  readonly eventTypes?: readonly string[]
  /** Names of the errors that this route documents. */
  readonly problems: readonly string[]
}

/**
 * Endpoint as plain data, from which validation, handler types, the OpenAPI operation and generated tests are derived.
 * The handler receives the input and the `world` of the app.
 */
export interface Route<Access = unknown, World = unknown> extends RouteShape {
  /**
   * Pre-request hook, called before authorization and before the body is read: returns either headers for every reply,
   * or the whole reply (such as 429).
   */
  readonly first?: (caller: Caller, world: World) => ReturnType<PreRequestHook>
  readonly handle: (input: Input<Access, never, never, never>, world: World) => unknown
}

type StaticOf<S> = S extends TSchema ? Static<S> : undefined

/** Route as the app declares it; its schemas determine the types of the handler's input. */
export interface RouteSpec<Access, World, P, Q, B> extends Omit<RouteShape, 'params' | 'query' | 'body'> {
  readonly params?: P & TSchema
  readonly query?: Q & TSchema
  readonly body?: B & TSchema
  readonly first?: Route<Access, World>['first']
  readonly handle: (input: Input<Access, StaticOf<P>, StaticOf<Q>, StaticOf<B>>, world: World) => unknown
}

/**
 * Returns a function that creates routes for apps with this `Access` and `World`. A handler returns either a `Reply`,
 * or a JSON value that is sent with the lowest status in `replies`. To fail, the handler throws a Problem.
 */
export function routesFor<Access, World = unknown>() {
  return function route<P = undefined, Q = undefined, B = undefined>(
    spec: RouteSpec<Access, World, P, Q, B>,
  ): Route<Access, World> {
    return spec as unknown as Route<Access, World>
  }
}
