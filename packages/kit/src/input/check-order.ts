import type { IncomingHttpHeaders } from 'node:http'
import type { TSchema } from 'typebox'
import { Refusal } from '../http/refusal.ts'
import { isJson, parseMediaType, RawBody } from '../http/request-body.ts'
import type { Input, RouteShape } from '../http/route.ts'
import { compileValidator, type Validator } from './validation.ts'

/**
 * Order in which the errors of a request are reported. The app's `authorize` always runs before the body is read. If
 * `authorize` rejects the caller, a short body that was sent together with the head is still checked first, as in
 * Unleash.
 * 'authorize-first': parse body → authorize → media type → schema (admin API).
 * 'validate-first': media type → parse body → schema → authorize (client proxy).
 */
export type CheckOrder = 'authorize-first' | 'validate-first'

/** Parts of a request after parsing, but before validation; `query` is the result of `readQuery`. */
export interface RequestParts {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly headers: IncomingHttpHeaders
}

/** Parts of a request after validation. */
export type ValidParts = Pick<Input<never, unknown, unknown, unknown>, 'params' | 'query' | 'body'>

/**
 * Validates the parts of a request. Throws or rejects with the validation error. Returns synchronously unless the body
 * has a form that is parsed asynchronously.
 */
export type Validate = (request: RequestParts) => ValidParts | Promise<ValidParts>

/** Creates the validation of a route, which checks in the order of the app. */
export function createValidation(route: RouteShape, order: CheckOrder): Validate {
  const validate: Validators = {
    params: route.params && createLazyValidator(route.params, 'params'),
    query: route.query && createLazyValidator(route.query, 'query'),
    body: route.body && createLazyValidator(route.body, 'body', route.neverIgnored),
  }
  if (order === 'validate-first') return (request) => validateParts(validate, route, request)
  return (request) => {
    if (route.body !== undefined) requireAcceptedMediaType(request, route)
    if (!(request.body instanceof RawBody)) return validateParts(validate, route, request)
    const body = request.body.read()
    const valid = (read: unknown) => validateParts(validate, route, { ...request, body: read })
    return body instanceof Promise ? body.then(valid) : valid(body)
  }
}

/**
 * Returns a validator that is compiled when it is first used, because compiling all validators at startup would take
 * long.
 */
function createLazyValidator(schema: TSchema, part: string, neverIgnored?: readonly string[]): Validator {
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

function validateParts(validate: Validators, route: RouteShape, request: RequestParts): ValidParts {
  return {
    params: validate.params?.(request.params),
    query: validate.query?.(getReadableQuery(request)),
    body:
      request.body === undefined && route.bodyOptional === true ? getDefaultBody(route) : validate.body?.(request.body),
  }
}

function getDefaultBody(route: RouteShape): unknown {
  return structuredClone((route.body as { readonly default?: unknown } | undefined)?.default)
}

/**
 * Returns true if the route accepts bodies of the media type. A body of an accepted type may be empty, and then counts
 * as absent.
 */
function acceptsMediaType({ bodyForms = [] }: RouteShape, type: string): boolean {
  return bodyForms.some(({ mediaType }) => mediaType === parseMediaType(type))
}

/**
 * Rejects a body with a media type that the route does not accept. A body with an unknown media type has not been
 * parsed. A body without a media type is rejected as well.
 */
function requireAcceptedMediaType(request: RequestParts, route: RouteShape): void {
  const type = request.headers['content-type']
  if (type !== undefined && (isJson(type) || acceptsMediaType(route, type))) return
  if (type === undefined && request.body === undefined && route.bodyOptional === true) return
  throw new Refusal('media-type', type ?? '')
}

const UNREADABLE = Symbol('why the query could not be read')

/**
 * Parses a query string while the request is routed, where a thrown error would end the process. An error is stored
 * instead; it is thrown later by the validation of a route that has a query schema.
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

function getReadableQuery(request: RequestParts): unknown {
  const query = request.query as Readonly<Record<symbol, unknown>>
  if (UNREADABLE in query) throw query[UNREADABLE]
  return query
}
