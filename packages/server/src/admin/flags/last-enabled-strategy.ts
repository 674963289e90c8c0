import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  listEnabledWithoutStrategy,
  listEnabledWithoutStrategyAmong,
} from '@burgee/storage/queries/flags/enabled-without-strategy'
import type { World } from '../../core/world.ts'
import { setSwitch } from './enabled-and-plan-clock.ts'

/**
 * Turns a flag off in an environment if a strategy change has left it on without an enabled strategy, because SDKs
 * would then evaluate it as on for everyone. Returns the events for the flags that were turned off. Ignores
 * environments without strategy changes, because flags of older databases are sometimes on without a strategy. Source:
 * wire protocol
 */
export async function switchOffWithoutStrategy(tx: Tx, events: readonly NewEvent[], now: number): Promise<NewEvent[]> {
  const touched = events.filter(canRemoveStrategy)
  if (touched.length === 0) return []
  const keyOf = (feature: string | undefined, environment: string | undefined) => `${feature} ${environment}`
  const places = new Set(touched.map(({ featureName, environment }) => keyOf(featureName, environment)))
  const names = new Set(touched.flatMap(({ featureName }) => featureName ?? []))
  const off: NewEvent[] = []
  for (const place of await listEnabledWithoutStrategyAmong(tx, [...names])) {
    if (places.has(keyOf(place.feature, place.environment)))
      off.push(await setSwitch(tx, place, { enabled: false, now }))
  }
  return off
}

/**
 * Returns true if an event can reduce the number of enabled strategies in an environment, or add disabled strategies.
 */
function canRemoveStrategy({ type, data, preData }: NewEvent): boolean {
  if (type === 'feature-strategy-remove') return true
  const isDisabled = (state: unknown) => (state as AdminStrategy | undefined)?.disabled === true
  if (type === 'feature-strategy-add') return isDisabled(data)
  return type === 'feature-strategy-update' && isDisabled(data) && !isDisabled(preData)
}

const MAX_NAMED = 20

/**
 * Describes flags that are on without an enabled strategy, and how SDKs evaluate them. The text names at most 20 flags.
 * Returns undefined if there are none.
 */
export async function describeEnabledWithoutStrategy(
  reader: Reader,
): Promise<{ readonly total: number; readonly text: string } | undefined> {
  const { total, first } = await listEnabledWithoutStrategy(reader, MAX_NAMED)
  if (total === 0) return undefined
  const named = first.map(
    (place) => `${place.feature} in ${place.environment} (${place.hasStrategies ? 'off' : 'on for everyone'})`,
  )
  const rest = total - named.length
  const more = rest > 0 ? ` and ${rest} more` : ''
  return { total, text: `${named.join(', ')}${more}. Give each an enabled strategy, or turn it off.` }
}

/** Logs one line that lists at most 20 of the flags that are on without an enabled strategy. */
export async function warnOfEnabledWithoutStrategy({ db, logger }: World): Promise<void> {
  const found = await describeEnabledWithoutStrategy(db.reader)
  if (found === undefined) return
  logger.warn(
    `Flags that are on without an enabled strategy (${found.total}), and how SDKs evaluate them: ${found.text}`,
  )
}
