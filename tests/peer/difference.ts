import { isDeepStrictEqual } from 'node:util'
import { type Discrepancy, parsed, type Situation } from './compare.ts'

/** One way in which we differ from the established proxy, on purpose. */
export interface Difference {
  readonly id: string
  /** Whether this row explains one discrepancy of one request. */
  readonly applies: (found: Discrepancy, situation: Situation) => boolean
  /** What the established proxy does. */
  readonly peer: string
  /** What we do. */
  readonly ours: string
  /** Why no SDK is troubled by it. */
  readonly safe: string
}

const INVALID = 'Request validation failed'

interface Refused {
  readonly error?: unknown
  readonly validation?: readonly { readonly instancePath: string; readonly keyword: string }[]
}

/** Both refuse with these statuses: ours is another one, so type, tag and text follow from it. */
export const statuses =
  (peer: number, ours: number, about: (situation: Situation) => boolean = () => true) =>
  (_found: Discrepancy, situation: Situation) =>
    situation.peer.status === peer && situation.ours.status === ours && about(situation)

/** A header of the request; empty when it was not sent. */
export const header = (situation: Situation, name: string): string =>
  situation.request.headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? ''
/** Whether the path ends so, whatever the base path. */
export const endsWith = (path: string) => (situation: Situation) =>
  situation.request.path.replace(/\/?(\?.*)?$/, '').endsWith(path)
/** Both answered so. */
export const both = (situation: Situation, status: number): boolean =>
  situation.peer.status === status && situation.ours.status === status
/** A body as an object; an empty one when it is none. */
export const json = (text: string): Refused => {
  const value = parsed(text)
  return typeof value === 'object' && value !== null ? value : {}
}

/** Texts for people: pages, and the `error` of a JSON body. */
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

/** Times are checked by a pattern here, by a format there. */
const rule = (keyword: string | undefined): string | undefined => (keyword === 'pattern' ? 'format' : keyword)

/** Both name the same part of the request and the same rule first. */
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

/** The same features, whatever their order, and nothing else but segments. */
export function isSameFeatures(found: Discrepancy, shorten: (feature: PeerFeature) => object = (all) => all): boolean {
  if (found.at !== 'body') return false
  const [theirs, own] = [found.peer, found.ours].map((text) => {
    const { segments: _segments, ...rest } = parsed(text ?? '') as { segments?: unknown; features: PeerFeature[] }
    return { ...rest, features: [...rest.features].sort((a, b) => (a.name < b.name ? -1 : 1)).map(shorten) }
  })
  return isDeepStrictEqual(theirs, own)
}

const SERIES = ['last_metrics_update_epoch_timestamp_ms', 'last_metrics_fetch_epoch_timestamp_ms', 'unleash_proxy_up']
/** The series of both, and more of ours. */
export const isOwnSeries = (found: Discrepancy): boolean =>
  found.at === 'body' &&
  SERIES.every((name) => found.ours?.includes(`\n${name} `) && found.peer?.includes(`\n${name} `))
