import { compareText } from '@burgee/kit/compare-text'
import { chunks } from '../chunks.ts'
import type { Reader, Tx } from '../database.ts'
import { cappedSources } from './usage.ts'

/** An application asked for a name that no flag has, in an environment. */
export interface UnknownSighting {
  readonly name: string
  readonly appName: string
  readonly environment: string
}

/** A sighting with the projects of the tokens by which the name was requested. */
export interface SourcedSighting extends UnknownSighting {
  /** Ids, or `*`. */
  readonly projects: readonly string[]
}

/**
 * Notes when names of no flag were asked for; always in the same order, so that two nodes do not wait for each other.
 */
export async function putUnknownFlags(tx: Tx, sightings: readonly SourcedSighting[], now: number): Promise<void> {
  const sorted = sightings.toSorted((a, b) => compareText(a.name, b.name) || compareText(a.appName, b.appName))
  const keyOf = ({ name, appName, environment }: UnknownSighting) => ({ name, app_name: appName, environment })
  for (const part of chunks(sorted.map((one) => ({ ...keyOf(one), last_seen_at: now })))) {
    await tx
      .insertInto('unknown_flags')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['name', 'app_name', 'environment']).doUpdateSet({ last_seen_at: now }),
      )
      .execute()
  }
  const sources = sorted.flatMap((one) => cappedSources(one.projects).map((project) => ({ ...keyOf(one), project })))
  for (const part of chunks(sources)) {
    await tx
      .insertInto('unknown_flag_projects')
      .values(part)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** A sighting with its time, and when something last happened to a flag of that name; milliseconds since 1970. */
export interface UnknownFlagRow extends UnknownSighting {
  readonly seenAt: number
  readonly lastEventAt: number | null
}

/**
 * Names that are asked for and that no flag has now, newest first, with who asks where and when; without those that only
 * hidden projects ask for, or that once were names of their flags. One query.
 */
export async function unknownFlags(reader: Reader, hidden: readonly string[] = []): Promise<UnknownFlagRow[]> {
  const rows = await unknownNames(reader, hidden)
    .select(['u.name', 'u.app_name', 'u.environment', 'u.last_seen_at'])
    .select((eb) =>
      eb
        .selectFrom('events as e')
        .select(({ fn }) => fn.max<number | null>('e.created_at').as('at'))
        .whereRef('e.feature_name', '=', 'u.name')
        .as('last_event_at'),
    )
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

/** Names that an application asks for and that no flag has now, by environment, without those of hidden projects. */
export function unknownAskedBy(
  reader: Reader,
  appName: string,
  hidden: readonly string[] = [],
): Promise<{ name: string; environment: string }[]> {
  return unknownNames(reader, hidden)
    .select(['u.name', 'u.environment'])
    .where('u.app_name', '=', appName)
    .orderBy('u.name')
    .execute()
}

/** Which names of no flag are of interest: of an application in an environment, since a time. */
interface AskedSince {
  readonly appName: string
  readonly environment: string
  readonly since: number
  readonly hidden: readonly string[]
}

/** Those of them that it has asked for in an environment since a time, by name, and no more than `limit`. */
export async function unknownAskedSince(
  reader: Reader,
  { appName, environment, since, hidden }: AskedSince,
  limit: number,
): Promise<string[]> {
  const rows = await unknownNames(reader, hidden)
    .select('u.name')
    .where('u.app_name', '=', appName)
    .where('u.environment', '=', environment)
    .where('u.last_seen_at', '>=', since)
    .orderBy('u.name')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}

function unknownNames(reader: Reader, hidden: readonly string[]) {
  const query = reader
    .selectFrom('unknown_flags as u')
    .leftJoin('features as f', 'f.name', 'u.name')
    .where('f.name', 'is', null)
  if (hidden.length === 0) return query
  return query
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('unknown_flag_projects as p')
          .select('p.project')
          .whereRef('p.name', '=', 'u.name')
          .whereRef('p.app_name', '=', 'u.app_name')
          .whereRef('p.environment', '=', 'u.environment')
          .where('p.project', 'not in', hidden),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('events as h')
            .select('h.id')
            .whereRef('h.feature_name', '=', 'u.name')
            .where('h.project', 'in', hidden),
        ),
      ),
    )
}
