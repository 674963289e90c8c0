import { compareText } from '@burgee/kit/compare-text'
import { chunks } from '../../chunks.ts'
import type { Reader, Tx } from '../../database.ts'
import { capSources } from './usage.ts'

/** Request by an application, in an environment, for a name that no flag has. */
export interface UnknownFlagRequest {
  readonly name: string
  readonly appName: string
  readonly environment: string
}

/** Request for an unknown flag name, with the projects of the tokens that made it. */
export interface SourcedUnknownFlagRequest extends UnknownFlagRequest {
  /** Project ids, or `*`. */
  readonly projects: readonly string[]
}

/** Records when unknown flag names were requested. All nodes write the rows in the same order, to avoid deadlocks. */
export async function putUnknownFlags(
  tx: Tx,
  sightings: readonly SourcedUnknownFlagRequest[],
  now: number,
): Promise<void> {
  const sorted = sightings.toSorted((a, b) => compareText(a.name, b.name) || compareText(a.appName, b.appName))
  const keyOf = ({ name, appName, environment }: UnknownFlagRequest) => ({ name, app_name: appName, environment })
  for (const part of chunks(sorted.map((one) => ({ ...keyOf(one), last_seen_at: now })))) {
    await tx
      .insertInto('unknown_flags')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['name', 'app_name', 'environment']).doUpdateSet({ last_seen_at: now }),
      )
      .execute()
  }
  const sources = sorted.flatMap((one) => capSources(one.projects).map((project) => ({ ...keyOf(one), project })))
  for (const part of chunks(sources)) {
    await tx
      .insertInto('unknown_flag_projects')
      .values(part)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/**
 * Request for an unknown flag name, with the time of the request and the time of the last event of any flag that had
 * this name. Times are in milliseconds since 1970.
 */
export interface UnknownFlagRow extends UnknownFlagRequest {
  readonly seenAt: number
  readonly lastEventAt: number | null
}

/**
 * Returns the requested names that no flag currently has, newest first, with application, environment and time. Omits
 * names that were requested only for hidden projects, and names of flags that were once in hidden projects. Takes one
 * query.
 */
export async function listUnknownFlags(reader: Reader, hidden: readonly string[] = []): Promise<UnknownFlagRow[]> {
  const rows = await selectUnknownNames(reader, hidden)
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

/**
 * Returns the names that an application requests but that no flag currently has, grouped by environment; omits names
 * that belong to hidden projects.
 */
export function listUnknownNamesByApplication(
  reader: Reader,
  appName: string,
  hidden: readonly string[] = [],
): Promise<{ name: string; environment: string }[]> {
  return selectUnknownNames(reader, hidden)
    .select(['u.name', 'u.environment'])
    .where('u.app_name', '=', appName)
    .orderBy('u.name')
    .execute()
}

/** Selects the unknown flag names that one application has requested in one environment since a time. */
interface UnknownFlagSelection {
  readonly appName: string
  readonly environment: string
  readonly since: number
  readonly hidden: readonly string[]
}

/** Returns at most `limit` selected names, sorted. */
export async function listUnknownNamesSince(
  reader: Reader,
  { appName, environment, since, hidden }: UnknownFlagSelection,
  limit: number,
): Promise<string[]> {
  const rows = await selectUnknownNames(reader, hidden)
    .select('u.name')
    .where('u.app_name', '=', appName)
    .where('u.environment', '=', environment)
    .where('u.last_seen_at', '>=', since)
    .orderBy('u.name')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}

function selectUnknownNames(reader: Reader, hidden: readonly string[]) {
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
