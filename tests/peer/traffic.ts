import type { SeenRequest } from '../support/upstream.ts'
import type { Discrepancy } from './compare.ts'

/** Traffic of one proxy with the upstream: names of its parts and their values, without times. */
export type Traffic = ReadonlyMap<string, string>

/** Headers that belong to the connection and not to the protocol. */
const IGNORED = new Set(['host', 'connection', 'content-length', 'transfer-encoding'])
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Returns the requests of one proxy to one endpoint, in order. `who` is the first segment of the proxy's paths. */
export function sentBy(who: string, seen: readonly SeenRequest[], endpoint: string): SeenRequest[] {
  return seen.filter(({ url }) => url.startsWith(`/${who}/api${endpoint}`))
}

/** Returns path, headers and body properties of one request, prefixed with `what`. */
export function trafficOf(what: string, { method, url, headers, body }: SeenRequest): Traffic {
  const parts = new Map([[`${what} request`, `${method} ${url.replace(/^\/\w+/, '')}`]])
  for (const [name, value] of Object.entries(headers)) {
    if (!IGNORED.has(name)) parts.set(`${what} header ${name}`, plain(String(value)))
  }
  if (body === '') return parts
  for (const [name, value] of Object.entries(JSON.parse(body) as Record<string, unknown>)) {
    if (name === 'bucket') for (const inner of Object.entries(value as object)) put(parts, `${what} bucket`, inner)
    else put(parts, what, [name, value])
  }
  return parts
}

function put(parts: Map<string, string>, what: string, [name, value]: [string, unknown]): void {
  // counts are summed across all requests and compared separately
  if (name !== 'toggles') parts.set(`${what} ${name}`, plain(typeof value === 'string' ? value : JSON.stringify(value)))
}

function plain(value: string): string {
  if (UUID.test(value)) return '(uuid)'
  return TIME.test(value) ? '(time)' : value
}

interface Counts {
  readonly yes: number
  readonly no: number
  readonly variants: Readonly<Record<string, number>>
}

/** Returns all counts that one proxy has delivered to the upstream, as sorted lines. */
export function countsOf(requests: readonly SeenRequest[]): string[] {
  const sums = new Map<string, number>()
  const add = (name: string, count: number) => sums.set(name, (sums.get(name) ?? 0) + count)
  for (const { body } of requests) {
    const { bucket } = JSON.parse(body) as { bucket: { toggles: Record<string, Counts> } }
    for (const [name, { yes, no, variants }] of Object.entries(bucket.toggles)) {
      add(`${name} yes`, yes)
      add(`${name} no`, no)
      for (const [variant, count] of Object.entries(variants)) add(`${name} variant ${variant}`, count)
    }
  }
  return [...sums].map(([name, count]) => `${name}: ${count}`).sort()
}

/** Returns all differences between two proxies' traffic with the upstream. */
export function compareTraffic(peer: Traffic, ours: Traffic): Discrepancy[] {
  const names = new Set([...peer.keys(), ...ours.keys()])
  return [...names]
    .map((at) => ({ at, peer: peer.get(at), ours: ours.get(at) }))
    .filter((found) => found.peer !== found.ours)
}
