import { compareSemver } from '@burgee/engine/rules/semver'
import type { Semver } from '@burgee/protocol/semver'
import { findUnsupportedFeatures, parseRelease } from './sdk-abilities.ts'

/**
 * Returns the SDK versions (such as `unleash-client-node:6.1.0`) for which `sdkVersions` contains a newer version of
 * the same SDK. Versions are compared only with the other given versions, not with a list of releases. Text without a
 * version is never outdated. The result is sorted and without duplicates.
 */
export function listOutdatedVersions(sdkVersions: readonly string[]): string[] {
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

/**
 * Returns the SDK versions that do not support parent flags, each together with the first version of the same SDK that
 * supports them. The result is sorted and without duplicates.
 */
export function listWithoutParentSupport(sdkVersions: readonly string[]): { sdkVersion: string; knownFrom: string }[] {
  return [...new Set(sdkVersions)]
    .sort()
    .flatMap((sdkVersion) =>
      findUnsupportedFeatures(sdkVersion).flatMap(({ ability, knownFrom }) =>
        ability === 'parents' && knownFrom !== null ? [{ sdkVersion, knownFrom }] : [],
      ),
    )
}
