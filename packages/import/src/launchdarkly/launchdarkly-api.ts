import { isObject } from '@burgee/kit/input/is-object'
import { type RequestSettings, ThrottledHttp } from '../http/throttled-http.ts'
import { SourceRefused } from '../model/source.ts'
import { toObjects } from './clauses.ts'

/** A LaunchDarkly project and the credentials to read it. */
export interface LaunchDarklyApi extends RequestSettings {
  /** Address of the project's pages, for example `https://app.launchdarkly.com/projects/web`. */
  readonly url: string
  /** An access token with read access. Sent only in the `authorization` header. */
  readonly token: string
}

type Json = Readonly<Record<string, unknown>>

/** API version, which determines the format of lists. Source: LaunchDarkly's documentation of its API. */
const VERSION = '20240415'
const PER_PAGE = 50
/** Page limit, which protects against a server that returns full pages forever. */
const MAX_PAGES = 2000
const PROJECT = /\/projects\/([\w.-]+)(?:\/|$)/

/** Returns true if the given string is a URL and not a file path. */
export function isLaunchDarklyAddress(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

/**
 * Reads the lists of a project into one document for `parseProjectDocument`: flags with their states, and segments.
 * Reads all environments or, if given, only `environment`. Excludes archived flags. Throws SourceRefused.
 */
export async function readLaunchDarkly(api: LaunchDarklyApi, environment: string | undefined): Promise<Json> {
  const url = new URL(api.url)
  const project = PROJECT.exec(url.pathname)?.[1]
  if (project === undefined)
    throw new SourceRefused(`${url.origin}${url.pathname} does not contain a project: …/projects/KEY`)
  const lists = new ListReader(api, url.origin)
  const all = (await lists.all(`/projects/${project}/environments`)).map(({ key }) => String(key))
  if (environment !== undefined && !all.includes(environment))
    throw new SourceRefused(`The project "${project}" has no environment "${environment}", but ${all.join(', ')}`)
  const flags = new Map<string, Json>()
  const segments: Record<string, Json[]> = {}
  for (const one of environment === undefined ? all : [environment]) {
    const name = encodeURIComponent(one)
    for (const flag of await lists.all(`/flags/${project}?summary=0&env=${name}`)) {
      const key = String(flag.key)
      const before = flags.get(key)?.environments
      const states = { ...(isObject(before) ? before : {}), ...(isObject(flag.environments) ? flag.environments : {}) }
      flags.set(key, { ...flag, environments: states })
    }
    segments[one] = await lists.all(`/segments/${project}/${name}`)
  }
  return { items: [...flags.values()], segments }
}

class ListReader {
  readonly #headers: Readonly<Record<string, string>>
  readonly #requests: ThrottledHttp

  constructor({ token, pauseMs, ending, send }: LaunchDarklyApi, origin: string) {
    this.#headers = {
      accept: 'application/json',
      'user-agent': 'burgee',
      authorization: token,
      'ld-api-version': VERSION,
    }
    const manner = { pauseMs, ...(ending === undefined ? {} : { ending }), ...(send === undefined ? {} : { send }) }
    this.#requests = new ThrottledHttp({ ...manner, base: `${origin}/api/v2`, kind: 'LaunchDarkly' })
  }

  /** Returns the entries of all pages of a list. */
  async all(path: string): Promise<Json[]> {
    const found: Json[] = []
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { items, totalCount } = await this.#page(`${path}${path.includes('?') ? '&' : '?'}`, found.length)
      found.push(...items)
      if (items.length === 0 || found.length >= totalCount) return found
    }
    throw new SourceRefused(`${this.#requests.formatAddress(path)} has more than ${MAX_PAGES * PER_PAGE} entries`)
  }

  async #page(path: string, offset: number): Promise<{ items: Json[]; totalCount: number }> {
    const reply = await this.#requests.request(`${path}limit=${PER_PAGE}&offset=${offset}`, { headers: this.#headers })
    if (!reply.ok) {
      await reply.body?.cancel()
      const hint =
        reply.status === 401 || reply.status === 403 ? ': give an access token that may read the project' : ''
      throw new SourceRefused(`${this.#requests.formatAddress(path)} answered ${reply.status}${hint}`)
    }
    const answer = await this.#requests.json(path, reply)
    if (!isObject(answer) || !Array.isArray(answer.items))
      throw new SourceRefused(`${this.#requests.formatAddress(path)} did not return a list: is it LaunchDarkly?`)
    const items = toObjects(answer.items)
    // if there is no total count, an incomplete page is the last page
    const most = items.length < PER_PAGE ? offset + items.length : Number.POSITIVE_INFINITY
    return { items, totalCount: typeof answer.totalCount === 'number' ? answer.totalCount : most }
  }
}
