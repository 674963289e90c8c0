import type { IncomingHttpHeaders } from 'node:http'
import type { TSchema } from 'typebox'
import { Refusal } from '../http/refusal.ts'
import { isJson, mediaTypeOf, RawBody } from '../http/request-body.ts'
import type { Caller, Input, RouteShape } from '../http/route.ts'
import { compileValidator, type Validator } from './validation.ts'

/**
 * When the caller's rights are looked at. 'authorize-first': body parsed → rights → media type → schema (admin API).
 * 'validate-first': media type → body parsed → schema → rights (client proxy).
 */
export type CheckOrder = 'authorize-first' | 'validate-first'

/** What the checks of a route need of its app. */
export interface CheckOptions<Access> {
  readonly order: CheckOrder
  readonly authorize: (caller: Caller, route: RouteShape) => Access | Promise<Access>
}

/** The parts of a request that checks look at, parsed but not validated; `query` is what `readQuery` gave. */
export interface RequestParts {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly headers: IncomingHttpHeaders
}

/**
 * The checks of one request between parsing and handler: gives the handler's input, throws or rejects with what
 * refuses it. At once, where the app's `authorize` answers at once.
 */
export type Checks<Access> = (
  request: RequestParts,
  caller: Caller,
) => Input<Access, unknown, unknown, unknown> | Promise<Input<Access, unknown, unknown, unknown>>

/** The checks of a route in the app's order. */
export function checksOf<Access>(route: RouteShape, options: CheckOptions<Access>): Checks<Access> {
  const validate: Validators = {
    params: route.params && validatorOf(route.params, 'params'),
    query: route.query && validatorOf(route.query, 'query'),
    body: route.body && validatorOf(route.body, 'body'),
  }
  if (options.order === 'authorize-first') {
    const checked = (request: RequestParts, access: Access, caller: Caller) => {
      if (route.body !== undefined) refuseOtherMedia(request, route)
      const valid = (body: unknown) => ({ ...validParts(validate, route, { ...request, body }), access, caller })
      const body = request.body instanceof RawBody ? request.body.read() : request.body
      return body instanceof Promise ? body.then(valid) : valid(body)
    }
    return (request, caller) => {
      const access = options.authorize(caller, route)
      return access instanceof Promise
        ? access.then((known) => checked(request, known, caller))
        : checked(request, access, caller)
    }
  }
  return (request, caller) => {
    const { params, query, body } = validParts(validate, route, request)
    const access = options.authorize(caller, route)
    return access instanceof Promise
      ? access.then((known) => ({ params, query, body, access: known, caller }))
      : { params, query, body, access, caller }
  }
}

/** A validator that is compiled for the first value: of all routes together that would take a good part of a start. */
function validatorOf(schema: TSchema, part: string): Validator {
  let validate: Validator | undefined
  return (value) => {
    validate ??= compileValidator(schema, part)
    return validate(value)
  }
}

interface Validators {
  readonly params: Validator | undefined
  readonly query: Validator | undefined
  readonly body: Validator | undefined
}

function validParts(validate: Validators, route: RouteShape, request: RequestParts) {
  return {
    params: validate.params?.(request.params),
    query: validate.query?.(checkedQuery(request)),
    body: request.body === undefined && route.bodyOptional === true ? absentBody(route) : validate.body?.(request.body),
  }
}

function absentBody(route: RouteShape): unknown {
  return structuredClone((route.body as { readonly default?: unknown } | undefined)?.default)
}

/** Whether it is a notation that the route takes; a body of it may be empty, which is none. */
function takes({ bodyForms = [] }: RouteShape, type: string): boolean {
  return bodyForms.some(({ mediaType }) => mediaType === mediaTypeOf(type))
}

/** A body of another media type was left unread by the parser; a missing one counts as another media type. */
function refuseOtherMedia(request: RequestParts, route: RouteShape): void {
  const type = request.headers['content-type']
  if (type !== undefined && (isJson(type) || takes(route, type))) return
  if (type === undefined && request.body === undefined && route.bodyOptional === true) return
  throw new Refusal('media-type', type ?? '')
}

const UNREADABLE = Symbol('why the query could not be read')

/**
 * Reads a query string while a request is routed, where an error would end the process: it is kept, and thrown by the
 * checks of a route that has a query schema.
 */
export function readQuery(
  parseQuery: (text: string) => Record<string, unknown>,
  text: string,
): Record<string | symbol, unknown> {
  try {
    return parseQuery(text)
  } catch (error) {
    return { [UNREADABLE]: error }
  }
}

function checkedQuery(request: RequestParts): unknown {
  const query = request.query as Readonly<Record<symbol, unknown>>
  if (UNREADABLE in query) throw query[UNREADABLE]
  return query
}
