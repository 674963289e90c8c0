import type { EventType } from '@burgee/protocol/event'
import { chunks } from '../../chunks.ts'
import type { Reader } from '../../database.ts'

/** Types of events that change who gets a flag. An event without an environment applies to all environments. */
const AUDIENCE_EVENTS: readonly EventType[] = [
  'feature-revived',
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-strategy-add',
  'feature-strategy-update',
  'feature-strategy-remove',
  'strategy-order-changed',
  'feature-environment-variants-updated',
  'feature-dependency-added',
  'feature-dependency-removed',
  'feature-dependencies-removed',
]

/**
 * Returns the time at which the audience of each flag last changed, by flag name and then by environment. The
 * environment '' stands for all environments.
 */
export async function readLastAudienceChanges(
  reader: Reader,
  names: readonly string[],
): Promise<Map<string, ReadonlyMap<string, number>>> {
  const found = new Map<string, Map<string, number>>()
  for (const part of chunks(names)) {
    const rows = await reader
      .selectFrom('events')
      .select(({ fn }) => ['feature_name', 'environment', fn.max<number>('created_at').as('at')])
      .where('feature_name', 'in', part)
      .where('type', 'in', AUDIENCE_EVENTS)
      .groupBy(['feature_name', 'environment'])
      .execute()
    for (const { feature_name: name, environment, at } of rows) {
      const own = found.get(name ?? '') ?? new Map<string, number>()
      found.set(name ?? '', own.set(environment ?? '', Number(at)))
    }
  }
  return found
}

/**
 * Returns the time since which the event log is complete: the time of the first event, or of the last import of flags
 * without their history.
 */
export async function readHistoryStart(reader: Reader): Promise<number> {
  const first = await reader.selectFrom('events').select('created_at').orderBy('id').limit(1).executeTakeFirst()
  const imported = await reader
    .selectFrom('events')
    .select(({ fn }) => fn.max<number | null>('created_at').as('at'))
    .where('type', '=', 'instance-imported')
    .executeTakeFirst()
  return Math.max(Number(first?.created_at ?? 0), Number(imported?.at ?? 0))
}
