import type { FleetApplication } from '@burgee/protocol/administration/delivery-receipt'

/** Connections of an application in one environment that have the same revision. */
export type RevisionGroup = Pick<FleetApplication, 'environment' | 'holds' | 'isBehind' | 'connections'>

/** Merges groups that differ only in SDK, projects or path. */
export function mergeGroups(groups: readonly RevisionGroup[]): RevisionGroup[] {
  const merged = new Map<string, RevisionGroup>()
  for (const { environment, holds, isBehind, connections } of groups) {
    const key = JSON.stringify([environment, holds, isBehind])
    const known = merged.get(key)?.connections ?? 0
    merged.set(key, { environment, holds, isBehind, connections: known + connections })
  }
  return [...merged.values()].sort(
    (a, b) => a.environment.localeCompare(b.environment) || (b.holds ?? 0) - (a.holds ?? 0),
  )
}
