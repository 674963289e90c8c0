import type { Holding } from '@burgee/protocol/administration/delivery-receipt'
import type { EdgeReport } from '../../delivery/fleet/edge-reports.ts'

/** Time without a report after which an edge counts as silent; edges report every 10 seconds. */
const EDGE_SILENT_MS = 30_000

/** Returns true if an edge that reports its connections has stopped reporting. */
export function isSilentEdge({ holdings, reportedAtMs }: EdgeReport, now: number): boolean {
  return holdings.size > 0 && now - reportedAtMs > EDGE_SILENT_MS
}

/** Returns the rows in a report that belong to an environment. */
export function listRows({ holdings }: EdgeReport, environment: string): Holding[] {
  return [...holdings.values()].flat().filter((row) => row.environment === environment)
}

/** Returns the display name of an edge. */
export function toEdgeName(name: string): string {
  return name === '' ? 'edge' : name
}

/** Formats a time in milliseconds since 1970. */
export function toTime(ms: number): string {
  return new Date(ms).toISOString()
}
