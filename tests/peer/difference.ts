import { isDeepStrictEqual } from 'node:util'
import { type Discrepancy, parsed, type Situation } from './compare.ts'

/** Intended difference between Burgee and Unleash Proxy. */
export interface Difference {
  readonly id: string
  /** Returns true if this intended difference explains the discrepancy that was found in a request. */
  readonly applies: (found: Discrepancy, situation: Situation) => boolean
  /** Behavior of Unleash Proxy. */
  readonly peer: string
  /** Behavior of Burgee. */
  readonly ours: string
  /** Reason why the difference affects no SDK. */
  readonly safe: string
}

const INVALID = 'Request validation failed'

interface Refused {
  readonly error?: unknown
  readonly validation?: readonly { readonly instancePath: string; readonly keyword: string }[]
}

/** Matches rejections with these two statuses, which also imply a different type, ETag and text. */
export const statuses =
  (peer: number, ours: number, about: (situation: Situation) => boolean = () => true) =>
  (_found: Discrepancy, situation: Situation) =>
    situation.peer.status === peer && situation.ours.status === ours && about(situation)

/** Returns a request header, or an empty string. */
export const header = (situation: Situation, name: string): string =>
  situation.request.headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? ''
/** Matches paths that end in this way, with any base path. */
export const endsWith = (path: string) => (situation: Situation) =>
  situation.request.path.replace(/\/?(\?.*)?$/, '').endsWith(path)
/** Returns true if both proxies replied with this status. */
export const both = (situation: Situation, status: number): boolean =>
  situation.peer.status === status && situation.ours.status === status
/** Parses a body as an object. Returns an empty object if the body is not an object. */
export const json = (text: string): Refused => {
  const value = parsed(text)
  return typeof value === 'object' && value !== null ? value : {}
}

/** Matches strings for humans: pages, and the property `error` of a JSON body. */
export function isWording(found: Discrepancy, situation: Situation): boolean {
  const { peer, ours, request } = situation
  if (found.at !== 'body' || peer.status !== ours.status) return false
  if (peer.headers['content-type']?.startsWith('text/html')) {
    const isPage = both(situation, 404) && ours.body.includes(`Cannot ${request.method} `)
    return isPage || both(situation, 501) || both(situation, 503)
  }
  const [theirs, own] = [json(peer.body), json(ours.body)]
  return both(situation, 400) && [theirs, own].every((one) => typeof one.error === 'string' && one.error !== INVALID)
}

/** Times are validated by a pattern in Burgee and by a format in Unleash Proxy. */
const rule = (keyword: string | undefined): string | undefined => (keyword === 'pattern' ? 'format' : keyword)

/** Matches validation errors whose first entry has the same part of the request and the same rule. */
export function isSameViolation(found: Discrepancy, { peer, ours }: Situation): boolean {
  if (found.at !== 'body') return false
  const [theirs, own] = [json(peer.body), json(ours.body)]
  if (theirs.error !== INVALID || own.error !== INVALID) return false
  const [first, ownFirst] = [theirs.validation?.[0], own.validation?.[0]]
  return first?.instancePath === ownFirst?.instancePath && rule(first?.keyword) === rule(ownFirst?.keyword)
}

interface PeerFeature {
  readonly name: string
  readonly strategies?: unknown
}

/** Matches bodies that have the same features in any order, and no other properties except segments. */
export function isSameFeatures(found: Discrepancy, shorten: (feature: PeerFeature) => object = (all) => all): boolean {
  if (found.at !== 'body') return false
  const [theirs, own] = [found.peer, found.ours].map((text) => {
    const { segments: _segments, ...rest } = parsed(text ?? '') as { segments?: unknown; features: PeerFeature[] }
    return { ...rest, features: [...rest.features].sort((a, b) => (a.name < b.name ? -1 : 1)).map(shorten) }
  })
  return isDeepStrictEqual(theirs, own)
}

const SERIES = ['last_metrics_update_epoch_timestamp_ms', 'last_metrics_fetch_epoch_timestamp_ms', 'unleash_proxy_up']
/** Matches metrics that both proxies have, even if Burgee has additional metrics. */
export const isOwnSeries = (found: Discrepancy): boolean =>
  found.at === 'body' &&
  SERIES.every((name) => found.ours?.includes(`\n${name} `) && found.peer?.includes(`\n${name} `))
