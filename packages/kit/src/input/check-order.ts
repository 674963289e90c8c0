import type { IncomingHttpHeaders } from 'node:http'
import type { TSchema } from 'typebox'
import { Refusal } from '../http/refusal.ts'
import { isJson, mediaTypeOf, RawBody } from '../http/request-body.ts'
import type { Input, RouteShape } from '../http/route.ts'
import { compileValidator, type Validator } from './validation.ts'

/**
 * Which fault of a request is told first. Who calls is always asked before the body is read; of a caller who is refused,
 * a short body that came along with the head is still looked at, as established servers do.
 * 'authorize-first': body parsed → rights → media type → schema (admin API).
 * 'validate-first': media type → body parsed → schema → rights (client proxy).
 */
export type CheckOrder = 'authorize-first' | 'validate-first'

/** The parts of a request that checks look at, parsed but not validated; `query` is what `readQuery` gave. */
export interface RequestParts {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly headers: IncomingHttpHeaders
}

/** Validated parts of a request. */
export type ValidParts = Pick<Input<never, unknown, unknown, unknown>, 'params' | 'query' | 'body'>

/** Validates the parts of a request. Throws or rejects with what is wrong; at once, unless a body form answers later. */
export type Validate = (request: RequestParts) => ValidParts | Promise<ValidParts>

/** Makes the validation of a route in the order of its app. */
export function validationOf(route: RouteShape, order: CheckOrder): Validate {
  const validate: Validators = {
    params: route.params && validatorOf(route.params, 'params'),
    query: route.query && validatorOf(route.query, 'query'),
    body: route.body && validatorOf(route.body, 'body', route.neverIgnored),
  }
  if (order === 'validate-first') return (request) => validParts(validate, route, request)
  return (request) => {
    if (route.body !== undefined) refuseOtherMedia(request, route)
    if (!(request.body instanceof RawBody)) return validParts(validate, route, request)
    const body = request.body.read()
    const valid = (read: unknown) => validParts(validate, route, { ...request, body: read })
    return body instanceof Promise ? body.then(valid) : valid(body)
  }
}

/** A validator that is compiled for the first value: of all routes together that would take a good part of a start. */
function validatorOf(schema: TSchema, part: string, neverIgnored?: readonly string[]): Validator {
  let validate: Validator | undefined
  return (value) => {
    validate ??= compileValidator(schema, part, neverIgnored)
    return validate(value)
  }
}

interface Validators {
  readonly params: Validator | undefined
  readonly query: Validator | undefined
  readonly body: Validator | undefined
}

function validParts(validate: Validators, route: RouteShape, request: RequestParts): ValidParts {
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
