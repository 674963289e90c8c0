import { createHash } from 'node:crypto'
import type { Reader, Tx } from '../../database.ts'

/** Time of the last gauge report of each connection, as pairs; the key identifies the connection and its series. */
export type ReportTimes = readonly (readonly [key: string, at: number])[]

/**
 * One minute of the gauges that a node has collected for an environment, reported with tokens for the same projects.
 */
export interface GaugeMinute {
  readonly environment: string
  readonly projects: readonly string[]
  /** Start of the minute, in milliseconds since 1970. */
  readonly minute: number
  /** Id of the node that has collected the gauges. */
  readonly node: string
}

/**
 * Stores when a node last received each gauge report before the end of a minute. Replaces the times that the node
 * stored for earlier minutes.
 */
export async function putGaugeReports(tx: Tx, of: GaugeMinute, times: ReportTimes): Promise<void> {
  const { minute, node } = of
  const reports = JSON.stringify(times)
  await tx
    .insertInto('gauge_reports')
    .values({ scope: getScope(of), node, minute, reports })
    .onConflict((conflict) => conflict.columns(['scope', 'node']).doUpdateSet({ minute, reports }))
    .execute()
}

/** Times at which another node last received gauge reports before the end of a minute. */
export interface OtherReports {
  readonly node: string
  readonly times: ReportTimes
}

/** Lists when the other nodes last received each gauge report before the end of a minute. */
export async function listOtherReports(reader: Reader, of: GaugeMinute): Promise<OtherReports[]> {
  const rows = await reader
    .selectFrom('gauge_reports')
    .select(['node', 'reports'])
    .where('scope', '=', getScope(of))
    .where('node', '!=', of.node)
    .where('minute', '=', of.minute)
    .execute()
  return rows.map(({ node, reports }) => ({ node, times: reports }))
}

/** Deletes the report times of minutes before a time, such as the times stored by nodes that no longer run. */
export async function removeGaugeReports(tx: Tx, before: number): Promise<false> {
  await tx.deleteFrom('gauge_reports').where('minute', '<', before).execute()
  return false
}

function getScope({ environment, projects }: GaugeMinute): string {
  return createHash('sha256')
    .update(JSON.stringify([environment, projects]))
    .digest('base64url')
}
