import FindMyWay, { type HTTPMethod } from 'find-my-way'
import { type Checks, checksOf } from '../input/check-order.ts'
import type { AppOptions } from './app-options.ts'
import { Refusal } from './refusal.ts'
import type { Route } from './route.ts'

/** What answers requests: a route as the exchange needs it, or the one place where unknown paths lead. */
export interface Endpoint<Access>
  extends Pick<Route<Access>, 'first' | 'handle' | 'isHot' | 'priority' | 'takesRawPath' | 'bodyForms'> {
  /** Pattern of the route, for series; 'unknown' where there is no route. */
  readonly name: string
  readonly check: Checks<Access>
  /** Of plain results: the lowest that the route documents. */
  readonly status: number
  readonly bodyLimitBytes: number
}

/** Where a request leads. */
export interface Found<Access> {
  readonly endpoint: Endpoint<Access>
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
}

type ByMethod<Access> = Record<string, Found<Access> | undefined>

const LONGEST_PARAMETER = 1000
const NO_PARAMS = {}
const STRAY_PERCENT = /%(?![0-9a-f]{2})/gi

/**
 * Finds where a request leads. Paths match in any case, with or without a slash at the end, with slashes repeated;
 * a path that cannot be decoded (unless its route `takesRawPath`), and a parameter of more than a thousand characters, lead nowhere.
 */
export class Router<Access> {
  /** Paths without parameters, as routes write them: one look instead of a walk. */
  readonly #exact = new Map<string, ByMethod<Access>>()
  readonly #paths = FindMyWay({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    maxParamLength: LONGEST_PARAMETER,
  })
  readonly #nowhere: Found<Access>

  /** Throws an Error for two routes with the same method and path. */
  constructor(options: AppOptions<Access>) {
    this.#nowhere = { endpoint: nowhere(options), params: NO_PARAMS }
    for (const route of options.routes) this.#add(route, options)
  }

  /** The endpoint for a method and a URL as sent. */
  find(method: string, url: string): Found<Access> {
    const exact = this.findExact(method, url)
    if (exact !== undefined) return exact
    const path = pathOf(url)
    const found = this.#paths.find(method as HTTPMethod, path) ?? this.#findRaw(method, path)
    if (found === null) return this.#nowhere
    return { endpoint: found.store, params: found.params as Record<string, string> }
  }

  /** The same, only where the URL has the path exactly as its route writes it, without parameters. */
  findExact(method: string, url: string): Found<Access> | undefined {
    return this.#exact.get(pathOf(url))?.[method]
  }

  #findRaw(method: string, path: string) {
    const escaped = path.replace(STRAY_PERCENT, '%25')
    const found = escaped === path ? null : this.#paths.find(method as HTTPMethod, escaped)
    return found?.store.takesRawPath === true ? found : null
  }

  #add(route: Route<Access>, options: AppOptions<Access>): void {
    const endpoint = endpointOf(route, options)
    const path = `${options.basePath}${route.url}`
    for (const method of route.method === 'GET' ? (['GET', 'HEAD'] as const) : [route.method]) {
      // a colon of the base path is a colon, not a parameter
      this.#paths.on(method, `${options.basePath.replaceAll(':', '::')}${route.url}`, () => {}, endpoint)
      if (/[:*]/.test(route.url)) continue
      const byMethod: ByMethod<Access> = this.#exact.get(path) ?? Object.create(null)
      byMethod[method] = { endpoint, params: NO_PARAMS }
      this.#exact.set(path, byMethod)
    }
  }
}

/** The path of a URL as sent, without its query. */
function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

/** The query of a URL as sent, without '?'; '' where there is none. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

function endpointOf<Access>(route: Route<Access>, options: AppOptions<Access>): Endpoint<Access> {
  return {
    name: route.url,
    check: checksOf(route, options),
    status: Math.min(...Object.keys(route.replies).map(Number)),
    bodyLimitBytes: route.bodyLimitBytes ?? options.bodyLimitBytes,
    handle: route.handle,
    ...(route.first === undefined ? {} : { first: route.first }),
    ...(route.priority === undefined ? {} : { priority: route.priority }),
    ...(route.bodyForms === undefined ? {} : { bodyForms: route.bodyForms }),
    isHot: route.isHot === true,
    takesRawPath: route.takesRawPath === true,
  }
}

/** Refuses every request, once its body is read. */
function nowhere<Access>({ bodyLimitBytes }: AppOptions<Access>): Endpoint<Access> {
  const check: Checks<Access> = (_parts, { method, url }) => {
    throw new Refusal('not-found', `Cannot ${method} ${pathOf(url)}`)
  }
  return { name: 'unknown', check, status: 404, bodyLimitBytes, handle: () => undefined, isHot: false }
}
