import { compareSemver, parseSemver } from '@burgee/engine/rules/semver'
import type { Semver } from '@burgee/protocol/semver'

interface Release {
  readonly name: string
  readonly version: Semver
}

/**
 * Those versions of SDKs (`unleash-client-node:6.1.0`) of which a newer one is among them: nobody here keeps a list of
 * what is too old, but who runs two versions of one SDK has one that is behind. Text that is no version is never
 * outdated. Each once, sorted.
 */
export function outdatedVersions(sdkVersions: readonly string[]): string[] {
  const newest = new Map<string, Semver>()
  for (const text of sdkVersions) {
    const release = releaseOf(text)
    if (release === undefined) continue
    const known = newest.get(release.name)
    if (known === undefined || compareSemver(known, release.version) < 0) newest.set(release.name, release.version)
  }
  const isBehind = (text: string) => {
    const release = releaseOf(text)
    const last = release === undefined ? undefined : newest.get(release.name)
    return release !== undefined && last !== undefined && compareSemver(release.version, last) < 0
  }
  return [...new Set(sdkVersions)].filter(isBehind).sort()
}

/**
 * First versions of the official SDKs that know parents of flags, and with them everything that came before. An older one
 * passes the parent over: a flag that is on only with its parent is on for it all the same. Of an SDK that is not here
 * nothing is said. Source: the vendor's documentation of dependent features.
 */
const FIRST_WITH_PARENTS: Readonly<Record<string, string>> = {
  'unleash-client-node': '4.2.0',
  'unleash-client-java': '8.4.0',
  'unleash-client-go': '3.9.2',
  'unleash-client-python': '5.9.0',
  'unleash-client-ruby': '4.6.0',
  'unleash-client-dotnet': '3.4.0',
  'unleash-client-php': '2.2.0',
  'unleash-proxy': '0.18.0',
  'unleash-edge': '13.1.0',
}

/** Those versions of SDKs that know no parents of flags, each with the first one that does; each once, sorted. */
export function withoutParents(sdkVersions: readonly string[]): { sdkVersion: string; knownFrom: string }[] {
  return [...new Set(sdkVersions)].sort().flatMap((sdkVersion) => {
    const release = releaseOf(sdkVersion)
    const knownFrom = release && FIRSTS.get(release.name)
    const first = knownFrom === undefined ? undefined : parseSemver(knownFrom)
    if (release === undefined || knownFrom === undefined || first === undefined) return []
    return compareSemver(release.version, first) < 0 ? [{ sdkVersion, knownFrom }] : []
  })
}

const FIRSTS = new Map(Object.entries(FIRST_WITH_PARENTS))

function releaseOf(text: string): Release | undefined {
  const colon = text.lastIndexOf(':')
  const version = parseSemver(text.slice(colon + 1))
  return colon < 1 || version === undefined ? undefined : { name: text.slice(0, colon), version }
}
