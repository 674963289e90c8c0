import type { TokenConnection } from '@burgee/protocol/administration/token-connection'
import type { Reader } from '@burgee/storage/database'
import type { TokenRow } from '@burgee/storage/queries/access/tokens'
import { findCaller, listCountedNames } from '@burgee/storage/queries/usage/token-callers'
import { listUnknownNamesSince } from '@burgee/storage/queries/usage/unknown-flags'
import { isoOrNull } from '../../../core/iso-time.ts'
import { HOUR_MS } from '../../../delivery/usage/report-hour.ts'

const MAX_FLAGS = 10

/**
 * Returns the application that uses a token, and the flags that the application evaluates. The admin UI shows this
 * while a user waits for a new SDK to connect.
 */
export async function readTokenConnection(
  reader: Reader,
  row: TokenRow,
  hidden: readonly string[] = [],
): Promise<TokenConnection> {
  const use = await findCaller(reader, row.id)
  const appName = use?.by?.appName ?? null
  return {
    tokenName: row.name,
    type: row.type,
    environment: row.environment,
    projects: [...row.projects],
    expiresAt: isoOrNull(row.expires_at),
    seenAt: isoOrNull(row.seen_at),
    caller: use?.by === undefined ? null : { ...use.by, seenAt: new Date(use.at).toISOString() },
    flags:
      use === undefined || appName === null
        ? []
        : await readEvaluatedFlags(reader, {
            appName,
            environment: row.environment,
            since: use.at,
            projects: row.projects,
            hidden,
          }),
  }
}

interface ConnectionQuery {
  readonly appName: string
  readonly environment: string
  readonly since: number
  readonly projects: readonly string[]
  readonly hidden: readonly string[]
}

async function readEvaluatedFlags(
  reader: Reader,
  { appName, environment, since, projects, hidden }: ConnectionQuery,
): Promise<TokenConnection['flags']> {
  // include the previous hour: otherwise, the counts would disappear from the page when a new hour begins
  const sinceHour = since - (since % HOUR_MS) - HOUR_MS
  const counted = await listCountedNames(reader, { appName, environment, sinceHour, projects, hidden }, MAX_FLAGS)
  const unknown = await listUnknownNamesSince(reader, { appName, environment, since: sinceHour, hidden }, MAX_FLAGS)
  return [
    ...counted.map((one) => ({ ...one, exists: true })),
    ...unknown.map((name) => ({ name, project: null, exists: false, yes: 0, no: 0 })),
  ]
}
