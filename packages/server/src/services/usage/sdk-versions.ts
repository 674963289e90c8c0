import { compareSemver } from '@burgee/engine/rules/semver'
import type { Semver } from '@burgee/protocol/semver'
import { findLacks, parseRelease } from './sdk-abilities.ts'

/**
 * Those versions of SDKs (`unleash-client-node:6.1.0`) of which a newer one is among them: nobody here keeps a list of
 * what is too old, but who runs two versions of one SDK has one that is behind. Text that is no version is never
 * outdated. Each once, sorted.
 */
export function outdatedVersions(sdkVersions: readonly string[]): string[] {
  const newest = new Map<string, Semver>()
  for (const text of sdkVersions) {
    const release = parseRelease(text)
    if (release === undefined) continue
    const known = newest.get(release.name)
    if (known === undefined || compareSemver(known, release.version) < 0) newest.set(release.name, release.version)
  }
  const isBehind = (text: string) => {
    const release = parseRelease(text)
    const last = release === undefined ? undefined : newest.get(release.name)
    return release !== undefined && last !== undefined && compareSemver(release.version, last) < 0
  }
  return [...new Set(sdkVersions)].filter(isBehind).sort()
}

/** Those versions of SDKs that know no parents of flags, each with the first one that does; each once, sorted. */
export function withoutParents(sdkVersions: readonly string[]): { sdkVersion: string; knownFrom: string }[] {
  return [...new Set(sdkVersions)]
    .sort()
    .flatMap((sdkVersion) =>
      findLacks(sdkVersion).flatMap(({ ability, knownFrom }) =>
        ability === 'parents' && knownFrom !== null ? [{ sdkVersion, knownFrom }] : [],
      ),
    )
}
