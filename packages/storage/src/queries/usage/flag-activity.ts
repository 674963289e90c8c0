import { chunks } from '../../chunks.ts'
import type { Reader } from '../../database.ts'
import { readStagesOfFlags, type StageRow } from './stages.ts'

/** Times at which a flag was last requested, in milliseconds since 1970; null if it was never requested. */
export interface FlagActivity {
  readonly lastSeenAt: number | null
  /** Time of the last request in each environment. */
  readonly environments: ReadonlyMap<string, number | null>
  /** Lifecycle stages that the flag has reached through SDK requests or user input, oldest first. */
  readonly stages: readonly StageRow[]
}

/** Number of evaluations in which a flag was on, and number in which it was off. */
export interface UsageSums {
  readonly yes: number
  readonly no: number
}

/**
 * Returns the times at which flags were last requested, and their lifecycle stages, by flag name; needs two queries for
 * every five hundred flags.
 */
export async function readFlagActivity(reader: Reader, names: readonly string[]): Promise<Map<string, FlagActivity>> {
  const stages = await readStagesOfFlags(reader, names)
  const found = new Map<string, Omit<FlagActivity, 'environments'> & { environments: Map<string, number | null> }>()
  for (const part of chunks(names)) {
    const rows = await reader
      .selectFrom('features as f')
      .leftJoin('feature_environments as x', 'x.feature_name', 'f.name')
      .select(['f.name', 'f.last_seen_at', 'x.environment', 'x.last_seen_at as seen_there'])
      .where('f.name', 'in', part)
      .execute()
    for (const { name, last_seen_at: lastSeenAt, environment, seen_there } of rows) {
      const seen = found.get(name) ?? { lastSeenAt, environments: new Map(), stages: stages.get(name) ?? [] }
      if (environment !== null) seen.environments.set(environment, seen_there)
      found.set(name, seen)
    }
  }
  return found
}

/**
 * Returns how often each flag was evaluated as on and as off since a time (milliseconds since 1970), by flag and
 * environment.
 */
export async function readCountsSince(
  reader: Reader,
  names: readonly string[],
  sinceMs: number,
): Promise<Map<string, Map<string, UsageSums>>> {
  const found = new Map<string, Map<string, UsageSums>>()
  for (const part of chunks(names)) {
    const rows = await reader
      .selectFrom('client_metrics')
      .select(({ fn }) => [
        'feature_name',
        'environment',
        fn.sum<number>('yes').as('yes'),
        fn.sum<number>('no').as('no'),
      ])
      .where('feature_name', 'in', part)
      .where('hour', '>=', sinceMs)
      .groupBy(['feature_name', 'environment'])
      .execute()
    for (const { feature_name, environment, yes, no } of rows) {
      const counts = found.get(feature_name) ?? new Map<string, UsageSums>()
      found.set(feature_name, counts.set(environment, { yes: Number(yes), no: Number(no) }))
    }
  }
  return found
}
