import { compareSemver, parseSemver } from '@burgee/engine/rules/semver'
import {
  OFFICIAL_SDKS,
  SDK_ABILITIES,
  type SdkAbility,
  type SdkOutcome,
  type SdkSpan,
} from '@burgee/protocol/sdk/sdk-abilities'
import type { Semver } from '@burgee/protocol/semver'

/** SDK and version, parsed from the reported form (`unleash-client-node:6.1.0`). */
export interface SdkRelease {
  readonly name: string
  readonly version: Semver
}

/** Feature of flags that an SDK version does not support. */
export interface UnsupportedFeature {
  readonly ability: SdkAbility
  readonly outcome: SdkOutcome
  readonly knownFrom: string | null
}

const SDKS = new Map(OFFICIAL_SDKS.flatMap((sdk) => sdk.names.map((name) => [name, sdk] as const)))
const ABILITIES = Object.keys(SDK_ABILITIES) as SdkAbility[]

/** Parses an SDK name and version; returns undefined if the text is not in that form. */
export function parseRelease(text: string): SdkRelease | undefined {
  const colon = text.lastIndexOf(':')
  const version = parseSemver(text.slice(colon + 1))
  return colon < 1 || version === undefined ? undefined : { name: text.slice(0, colon), version }
}

/**
 * Returns the features that a version of an official SDK does not support, in the order of `ABILITIES`. Returns an
 * empty list for SDKs and versions that have not been tested.
 */
export function findUnsupportedFeatures(sdkVersion: string): UnsupportedFeature[] {
  const release = parseRelease(sdkVersion)
  const sdk = release === undefined ? undefined : SDKS.get(release.name)
  if (release === undefined || sdk === undefined) return []
  return ABILITIES.flatMap((ability) => {
    const spans = sdk.abilities[ability] ?? []
    const index = spans.findLastIndex(([from]) => isAtLeast(release.version, from))
    const behavior = spans[index]?.[1] ?? 'untested'
    if (behavior === 'knows' || behavior === 'untested') return []
    return [{ ability, outcome: behavior, knownFrom: findSupportedFrom(spans.slice(index + 1)) }]
  })
}

function isAtLeast(version: Semver, from: string): boolean {
  const first = parseSemver(from)
  return first !== undefined && compareSemver(version, first) >= 0
}

function findSupportedFrom(spans: readonly SdkSpan[]): string | null {
  return spans.find(([, behavior]) => behavior === 'knows')?.[0] ?? null
}
