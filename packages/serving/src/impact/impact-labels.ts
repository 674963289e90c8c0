import type { ImpactLabels } from '@burgee/protocol/usage/impact-metrics'

const ORIGINS = ['sdk', 'browser', 'edge', 'proxy'] as const
/** Component that received a sample: a server SDK, a page or app, an edge, or a proxy. */
export type ImpactOrigin = (typeof ORIGINS)[number]

/** Source of samples. */
export interface ImpactSource {
  /** Value of the label `origin`. */
  readonly origin: ImpactOrigin
  /** True for an edge or proxy. Samples that an edge or proxy forwards keep their origin, unless it is `sdk`. */
  readonly isForwarded?: boolean
  /** True if any visitor can send reports, for example with the key of a web page. */
  readonly isPublic: boolean
}

const OTHER = 'other'

/** Returns the labels of the `other` series of an origin, which collects the values of series beyond the limit. */
export function toOtherLabels(labels: ImpactLabels): ImpactLabels {
  return [...labels.filter(([name]) => name === 'origin'), [OTHER, 'true']]
}

/** Labels of all possible `other` series: one per origin, and one without an origin. */
export const ALL_OTHER_LABELS: readonly ImpactLabels[] = [
  toOtherLabels([]),
  ...ORIGINS.map((origin) => toOtherLabels([['origin', origin]])),
]

/** Returns true if the labels belong to an `other` series. */
export function isOther(labels: ImpactLabels): boolean {
  const [only, ...more] = labels.filter(([name]) => name !== 'origin')
  return more.length === 0 && only !== undefined && only[0] === OTHER && only[1] === 'true'
}

/** Returns the origin of a series; empty if it has none. */
export function getOrigin(labels: ImpactLabels): string {
  return labels.find(([name]) => name === 'origin')?.[1] ?? ''
}

/**
 * Returns a key that identifies a series within its metric. The parts of the key are separated by control characters,
 * which labels cannot contain.
 */
export function getSeriesKey(labels: ImpactLabels, bounds: readonly number[]): string {
  let key = bounds.length === 0 ? '' : bounds.join()
  for (const [name, value] of labels) key += `\u0001${name}\u0002${value}`
  return key
}

/**
 * Returns the labels of a series, including the origin of the source that reported it. Omits the label `environment`,
 * which SDKs only guess; the environment of the token applies instead.
 */
export function withOrigin(
  labels: ImpactLabels,
  { origin, isForwarded }: Omit<ImpactSource, 'isPublic'>,
): ImpactLabels {
  const own = labels.filter(([name]) => name !== 'environment' && name !== 'origin')
  const at = own.findIndex(([name]) => name > 'origin')
  const sent = isForwarded === true ? findForwardedOrigin(labels) : undefined
  return own.toSpliced(at === -1 ? own.length : at, 0, ['origin', sent ?? origin])
}

/** Returns true if any visitor of a web page could have produced the sample, directly or through an edge or proxy. */
export function isPublicSample(labels: ImpactLabels, { isPublic, isForwarded }: Omit<ImpactSource, 'origin'>): boolean {
  return isPublic || (isForwarded === true && hasPublicOrigin(labels))
}

/** Returns true if the series may contain values from web pages or apps, because any visitor can read their keys. */
export function hasPublicOrigin(labels: ImpactLabels): boolean {
  const origin = getOrigin(labels)
  return origin === 'browser' || origin === 'proxy'
}

function findForwardedOrigin(labels: ImpactLabels): ImpactOrigin | undefined {
  const sent = getOrigin(labels)
  return sent === 'edge' || sent === 'proxy' || sent === 'browser' ? sent : undefined
}
