import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TSchema } from 'typebox'
import type { Content } from './content.ts'

/** HTTP methods a route may answer; HEAD follows GET by itself. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a handler sees of a request besides its validated parts. */
export interface Caller {
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Parameters of the path, decoded but not validated: for checks that come before validation. */
  readonly params: Readonly<Record<string, string>>
  /** Address of the peer socket; IPv4-mapped addresses are given as IPv4. */
  readonly remoteAddress: string
  /** Id of the request, for the log. */
  readonly id: string
  /** Where the reply goes: for work that is long enough to look whether anybody still waits for it. */
  readonly exit?: { readonly isGone?: boolean } | undefined
}

/** Validated parts of a request; `access` is what the checks of the app found out (who calls, what they may do). */
export interface Input<Access, P, Q, B> {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly access: Access
  readonly caller: Caller
}

/** One object for all: what follows from headers is remembered by the object that holds them. */
const NO_HEADERS = {}
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

/**
 * A reply that is not "200 with this JSON": a status without body, text, prepared bytes, headers.
 * A `body` of undefined sends no body and no content type.
 */
export class Reply {
  readonly status: number
  readonly body: string | Buffer | Content | undefined
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Whether nothing was changed although the method says so: then a caller that has the body already gets 304. */
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

  /** A JSON reply with a status of its own and further headers. */
  static json(status: number, value: unknown, headers?: Readonly<Record<string, string>>): Reply {
    return new Reply(status, JSON.stringify(value), headers === undefined ? JSON_TYPE : { ...JSON_TYPE, ...headers })
  }
}

/** A reply to a POST that only asks. Source: OFREP, which asks by POST with `If-None-Match`. */
export class SafeReply extends Reply {
  override readonly isSafe = true
}

/** What may be said before a request is looked at: headers for its reply, or the whole reply. */
export type First = (caller: Caller) => Readonly<Record<string, string>> | Reply

/** Documentation of one reply: its schema when it is JSON, or its media type when it is not. */
export interface ReplyDoc {
  readonly description: string
  readonly schema?: TSchema
  readonly contentType?: string
  /** Media type of another form of it, a text, for who asks for that. */
  readonly textType?: string
}

/** Another notation of a body than JSON: what its bytes mean, as JSON would say it. */
export interface BodyForm {
  /** Without parameters, in small letters. */
  readonly mediaType: string
  /** For the documentation. */
  readonly schema: TSchema
  /** Called once the caller may do what they ask for. Throws or rejects with a Refusal. */
  readonly read: (bytes: Buffer, contentType: string) => unknown
}

/** What a route says of its endpoint, without what it does. `permission` is for the app's checks; kit gives it no meaning. */
export interface RouteShape {
  readonly method: Method
  /** Pattern with `:name` parameters. */
  readonly url: string
  readonly summary: string
  readonly description?: string
  /** Marked so in the documentation: there is a newer way. */
  readonly isDeprecated?: boolean
  /** Group in the documentation. */
  readonly tag: string
  /** What the caller must be allowed to do: a permission name, null for "anybody who is known", 'public' for all. */
  readonly permission: string | null
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** A body may be left out; then the handler sees undefined (or the schema's own default). */
  readonly bodyOptional?: boolean
  /** Names that no object of the body may have unless its schema declares them (see NEVER_IGNORED). */
  readonly neverIgnored?: readonly string[]
  /** Further notations of the body; only in apps that authorize first. */
  readonly bodyForms?: readonly BodyForm[]
  /** Asked so often that plain requests are answered on the socket; the replies are the same. */
  readonly isHot?: boolean
  /** Low: beyond a millisecond in a turn of the event loop its requests wait for all others that have come meanwhile. */
  readonly priority?: 'low'
  /** Longest body of this route, where it differs from the app's. */
  readonly bodyLimitBytes?: number
  /** A parameter may hold percent signs that encode nothing, which stand for themselves. */
  readonly takesRawPath?: boolean
  readonly replies: Readonly<Record<number, ReplyDoc>>
  /** Names of the problems this route can answer with. */
  readonly problems: readonly string[]
}

/**
 * One endpoint as one value: validation, the handler's types, the OpenAPI operation and the subject of generated
 * tests. Its handler gets what the request says and the world of the app, so a route is plain data.
 */
export interface Route<Access = unknown, World = unknown> extends RouteShape {
  /**
   * Called before anything of the request's body is read and before the app's checks: headers for whatever the reply
   * will be, or the whole reply (too many requests).
   */
  readonly first?: (caller: Caller, world: World) => ReturnType<First>
  readonly handle: (input: Input<Access, never, never, never>, world: World) => unknown
}

type StaticOf<S> = S extends TSchema ? Static<S> : undefined

/** Parts of a route as written; schemas decide the types its handler sees. */
export interface RouteSpec<Access, World, P, Q, B> extends Omit<RouteShape, 'params' | 'query' | 'body'> {
  readonly params?: P & TSchema
  readonly query?: Q & TSchema
  readonly body?: B & TSchema
  readonly first?: Route<Access, World>['first']
  readonly handle: (input: Input<Access, StaticOf<P>, StaticOf<Q>, StaticOf<B>>, world: World) => unknown
}

/**
 * Makes a route maker for apps whose checks yield `Access` and whose handlers get a `World`. Handlers return a JSON
 * value (sent with the lowest status among `replies`) or a `Reply`; they throw a Problem to fail.
 */
export function routesFor<Access, World = unknown>() {
  return function route<P = undefined, Q = undefined, B = undefined>(
    spec: RouteSpec<Access, World, P, Q, B>,
  ): Route<Access, World> {
    return spec as unknown as Route<Access, World>
  }
}
