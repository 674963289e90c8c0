import { createHash } from 'node:crypto'
import type { Reader, Tx } from '../../database.ts'

/** Time of the last report, by the key of a connection and its series. */
export type ReportTimes = readonly (readonly [key: string, at: number])[]

/** Minute of the gauges that nodes collect for an environment, from tokens for the same projects. */
export interface GaugeMinute {
  readonly environment: string
  readonly projects: readonly string[]
  /** Start of the minute, in milliseconds since 1970. */
  readonly minute: number
  /** Id of a node. */
  readonly node: string
}

/** Stores the last reports before the end of a minute that a node got. Replaces those of its earlier minutes. */
export async function putGaugeReports(tx: Tx, of: GaugeMinute, times: ReportTimes): Promise<void> {
  const { minute, node } = of
  const reports = JSON.stringify(times)
  await tx
    .insertInto('gauge_reports')
    .values({ scope: getScope(of), node, minute, reports })
    .onConflict((conflict) => conflict.columns(['scope', 'node']).doUpdateSet({ minute, reports }))
    .execute()
}

/** Reports before the end of a minute that another node got. */
export interface OtherReports {
  readonly node: string
  readonly times: ReportTimes
}

/** Lists the last reports before the end of a minute that the other nodes got. */
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

/** Deletes the reports of minutes before a time, such as those of nodes that have ended. */
export async function removeGaugeReports(tx: Tx, before: number): Promise<false> {
  await tx.deleteFrom('gauge_reports').where('minute', '<', before).execute()
  return false
}

function getScope({ environment, projects }: GaugeMinute): string {
  return createHash('sha256')
    .update(JSON.stringify([environment, projects]))
    .digest('base64url')
}
