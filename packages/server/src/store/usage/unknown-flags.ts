import { compareText } from '@burgee/kit/compare-text'
import { chunks } from '../chunks.ts'
import type { Reader, Tx } from '../database.ts'

/** An application asked for a name that no flag has, in an environment. */
export interface UnknownSighting {
  readonly name: string
  readonly appName: string
  readonly environment: string
}

/**
 * Notes when names of no flag were asked for; always in the same order, so that two nodes do not wait for each other.
 */
export async function putUnknownFlags(tx: Tx, sightings: readonly UnknownSighting[], now: number): Promise<void> {
  const rows = sightings
    .map(({ name, appName, environment }) => ({ name, app_name: appName, environment, last_seen_at: now }))
    .toSorted((a, b) => compareText(a.name, b.name) || compareText(a.app_name, b.app_name))
  for (const part of chunks(rows)) {
    await tx
      .insertInto('unknown_flags')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['name', 'app_name', 'environment']).doUpdateSet({ last_seen_at: now }),
      )
      .execute()
  }
}

/** A sighting with its time, and when something last happened to a flag of that name; milliseconds since 1970. */
export interface UnknownFlagRow extends UnknownSighting {
  readonly seenAt: number
  readonly lastEventAt: number | null
}

/** Names that are asked for and that no flag has now, newest first, with who asks where and when. One query. */
export async function unknownFlags(reader: Reader): Promise<UnknownFlagRow[]> {
  const rows = await reader
    .selectFrom('unknown_flags as u')
    .leftJoin('features as f', 'f.name', 'u.name')
    .select(['u.name', 'u.app_name', 'u.environment', 'u.last_seen_at'])
    .select((eb) =>
      eb
        .selectFrom('events as e')
        .select(({ fn }) => fn.max<number | null>('e.created_at').as('at'))
        .whereRef('e.feature_name', '=', 'u.name')
        .as('last_event_at'),
    )
    .where('f.name', 'is', null)
    .orderBy('u.last_seen_at', 'desc')
    .orderBy('u.name')
    .orderBy('u.app_name')
    .orderBy('u.environment')
    .execute()
  return rows.map((row) => ({
    name: row.name,
    appName: row.app_name,
    environment: row.environment,
    seenAt: Number(row.last_seen_at),
    lastEventAt: row.last_event_at === null ? null : Number(row.last_event_at),
  }))
}

/** Names that an application asks for and that no flag has now, by environment. */
export function unknownAskedBy(reader: Reader, appName: string): Promise<{ name: string; environment: string }[]> {
  return askedBy(reader, appName).select(['u.name', 'u.environment']).orderBy('u.name').execute()
}

/** Those of them that it has asked for in an environment since a time, by name, and no more than `limit`. */
export async function unknownAskedSince(
  reader: Reader,
  { appName, environment, since }: { readonly appName: string; readonly environment: string; readonly since: number },
  limit: number,
): Promise<string[]> {
  const rows = await askedBy(reader, appName)
    .select('u.name')
    .where('u.environment', '=', environment)
    .where('u.last_seen_at', '>=', since)
    .orderBy('u.name')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}

function askedBy(reader: Reader, appName: string) {
  return reader
    .selectFrom('unknown_flags as u')
    .leftJoin('features as f', 'f.name', 'u.name')
    .where('u.app_name', '=', appName)
    .where('f.name', 'is', null)
}
