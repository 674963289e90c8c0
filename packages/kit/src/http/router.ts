import FindMyWay, { type HTTPMethod } from 'find-my-way'
import { createValidation, type Validate } from '../input/check-order.ts'
import type { AppOptions } from './app-options.ts'
import { Refusal } from './refusal.ts'
import { MAX_ANONYMOUS_BODY_BYTES } from './request-body.ts'
import { type Caller, Reply, type Route } from './route.ts'
import { getPath } from './url-parts.ts'

/** Handles requests: a route with everything that is needed to run it, or the fallback for unknown paths. */
export interface Endpoint<Access>
  extends Pick<Route<Access>, 'first' | 'handle' | 'isHot' | 'priority' | 'takesRawPath' | 'bodyForms'> {
  /** Route pattern, as reported in metrics; 'unknown' if there is no route. */
  readonly name: string
  /** Authorizes the caller. Throws or rejects if access is denied. */
  readonly admit: (caller: Caller) => Access | Promise<Access>
  readonly validate: Validate
  /** Status of a result that is not a `Reply`: the lowest status that the route documents. */
  readonly status: number
  readonly bodyLimitBytes: number
  /** False to reject bodies with a content encoding, for example on routes for unauthenticated callers. */
  readonly decodesBodies: boolean
}

/** Result of finding the endpoint for a request. */
export interface RouteMatch<Access> {
  readonly endpoint: Endpoint<Access>
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>
}

type ByMethod<Access> = Record<string, RouteMatch<Access> | undefined>

/**
 * Maximum length of a path parameter. Longer than any URL that is accepted, so that this limit never affects routing.
 */
const MAX_PARAMETER_LENGTH = 65_536
const NO_PARAMS = {}
const ROUTE_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Methods that are routed individually: all methods of routes, and OPTIONS for CORS. */
const ROUTED_METHODS: ReadonlySet<string> = new Set([...ROUTE_METHODS, 'OPTIONS'])
const STRAY_PERCENT = /%(?![0-9a-f]{2})/gi

/**
 * Finds the endpoint for a request. Ignores the case of the path, a trailing slash and repeated slashes. A path that
 * cannot be decoded matches no route, except a route with `takesRawPath`.
 */
export class Router<Access> {
  /** Endpoints whose paths have no parameters, keyed by the path exactly as the route declares it. */
  readonly #exact = new Map<string, ByMethod<Access>>()
  readonly #paths = FindMyWay({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    maxParamLength: MAX_PARAMETER_LENGTH,
  })
  readonly #notFound: RouteMatch<Access>
  /**
   * Endpoint for methods that no route uses, such as TRACE. Responds with 405 and the methods that the path supports.
   */
  readonly #unsupported: RouteMatch<Access>
  readonly #maxBodyBytes: number

  /**
   * Creates the router. Throws an Error if two routes have the same method and path.
   *
   * @param maxBodyBytes size of the largest body that the memory budget can ever admit; caps the limits of routes
   */
  constructor(options: AppOptions<Access>, maxBodyBytes = Number.POSITIVE_INFINITY) {
    this.#maxBodyBytes = maxBodyBytes
    const notFound = createNotFoundEndpoint(options)
    this.#notFound = { endpoint: notFound, params: NO_PARAMS }
    const first = ({ method, url }: Caller) =>
      new Reply(405, undefined, { allow: this.#allowedMethods(method, url).join(', ') })
    this.#unsupported = { endpoint: { ...notFound, first }, params: NO_PARAMS }
    for (const route of options.routes) this.#add(route, options)
  }

  /** Returns the endpoint for a method and a URL; the URL is given as the client sent it. */
  find(method: string, url: string): RouteMatch<Access> {
    const exact = this.findExact(method, url)
    if (exact !== undefined) return exact
    const path = getPath(url)
    const found = this.#paths.find(method as HTTPMethod, path) ?? this.#findRaw(method, path)
    if (found === null) return this.#allowedMethods(method, url).length > 0 ? this.#unsupported : this.#notFound
    return { endpoint: found.store, params: found.params as Record<string, string> }
  }

  /** Returns the endpoint only if the path of the URL exactly matches a route without parameters. */
  findExact(method: string, url: string): RouteMatch<Access> | undefined {
    return this.#exact.get(getPath(url))?.[method]
  }

  /**
   * Returns the methods that a path supports, if the request has a method that no route of the app uses. Returns an
   * empty list for an unknown path and for all other methods, in which case the request gets 404.
   */
  #allowedMethods(method: string, url: string): string[] {
    return ROUTED_METHODS.has(method) ? [] : ROUTE_METHODS.filter((other) => this.find(other, url) !== this.#notFound)
  }

  #findRaw(method: string, path: string) {
    const escaped = path.replace(STRAY_PERCENT, '%25')
    const found = escaped === path ? null : this.#paths.find(method as HTTPMethod, escaped)
    return found?.store.takesRawPath === true ? found : null
  }

  #add(route: Route<Access>, options: AppOptions<Access>): void {
    const endpoint = createEndpoint(route, options, this.#maxBodyBytes)
    const path = `${options.basePath}${route.url}`
    for (const method of route.method === 'GET' ? (['GET', 'HEAD'] as const) : [route.method]) {
      // a colon in the base path is literal, not a parameter
      this.#paths.on(method, `${options.basePath.replaceAll(':', '::')}${route.url}`, () => {}, endpoint)
      if (/[:*]/.test(route.url)) continue
      const byMethod: ByMethod<Access> = this.#exact.get(path) ?? Object.create(null)
      byMethod[method] = { endpoint, params: NO_PARAMS }
      this.#exact.set(path, byMethod)
    }
  }
}

function createEndpoint<Access>(
  route: Route<Access>,
  options: AppOptions<Access>,
  maxBodyBytes: number,
): Endpoint<Access> {
  const isOpen = route.permission === 'public'
  const bodyLimitBytes = Math.min(route.bodyLimitBytes ?? options.bodyLimitBytes, maxBodyBytes)
  return {
    name: route.url,
    admit: (caller) => options.authorize(caller, route),
    validate: createValidation(route, options.order),
    status: Math.min(...Object.keys(route.replies).map(Number)),
    bodyLimitBytes: Math.min(bodyLimitBytes, isOpen ? MAX_ANONYMOUS_BODY_BYTES : bodyLimitBytes),
    decodesBodies: !isOpen,
    handle: route.handle,
    ...(route.first === undefined ? {} : { first: route.first }),
    ...(route.priority === undefined ? {} : { priority: route.priority }),
    ...(route.bodyForms === undefined ? {} : { bodyForms: route.bodyForms }),
    isHot: route.isHot === true,
    takesRawPath: route.takesRawPath === true,
  }
}

/** Creates the endpoint that rejects every request with 404. */
function createNotFoundEndpoint<Access>({ bodyLimitBytes }: AppOptions<Access>): Endpoint<Access> {
  return {
    name: 'unknown',
    admit: ({ method, url }) => {
      throw new Refusal('not-found', `Cannot ${method} ${getPath(url)}`)
    },
    validate: ({ params, query, body }) => ({ params, query, body }),
    status: 404,
    bodyLimitBytes: Math.min(bodyLimitBytes, MAX_ANONYMOUS_BODY_BYTES),
    decodesBodies: false,
    handle: () => undefined,
    isHot: false,
  }
}
