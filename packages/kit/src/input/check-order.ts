import type { IncomingHttpHeaders } from 'node:http'
import type { TSchema } from 'typebox'
import { Refusal } from '../http/refusal.ts'
import { isJson, parseMediaType, RawBody } from '../http/request-body.ts'
import type { Input, RouteShape } from '../http/route.ts'
import { compileValidator, type Validator } from './validation.ts'

/**
 * Order in which the errors of a request are reported. The app's `authorize` always runs before the body is read. If
 * `authorize` rejects the caller, a short body that was sent together with the head is still checked first, as Unleash
 * does.
 * 'authorize-first': parse body → authorize → media type → schema (admin API).
 * 'validate-first': media type → parse body → schema → authorize (client proxy).
 */
export type CheckOrder = 'authorize-first' | 'validate-first'

/** Parsed but unvalidated parts of a request; `query` is the result of `readQuery`. */
export interface RequestParts {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly headers: IncomingHttpHeaders
}

/** Validated parts of a request. */
export type ValidParts = Pick<Input<never, unknown, unknown, unknown>, 'params' | 'query' | 'body'>

/**
 * Validates the parts of a request. Throws or rejects with the error. Returns synchronously unless a body form parses
 * asynchronously.
 */
export type Validate = (request: RequestParts) => ValidParts | Promise<ValidParts>

/** Creates the validation of a route in the order of its app. */
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
 * Returns a validator that is compiled at its first use, because compiling all validators would slow down the start.
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

/** Returns true if the route accepts the media type. A body of this type may be empty, and then counts as absent. */
function acceptsMediaType({ bodyForms = [] }: RouteShape, type: string): boolean {
  return bodyForms.some(({ mediaType }) => mediaType === parseMediaType(type))
}

/**
 * Rejects a body of a media type that the route does not accept. A body of an unknown media type has not been parsed. A
 * body without a media type is rejected as well.
 */
function requireAcceptedMediaType(request: RequestParts, route: RouteShape): void {
  const type = request.headers['content-type']
  if (type !== undefined && (isJson(type) || acceptsMediaType(route, type))) return
  if (type === undefined && request.body === undefined && route.bodyOptional === true) return
  throw new Refusal('media-type', type ?? '')
}

const UNREADABLE = Symbol('why the query could not be read')

/**
 * Parses a query string during routing, where a thrown error would end the process. Stores an error instead; the
 * validation of a route with a query schema throws the stored error.
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
