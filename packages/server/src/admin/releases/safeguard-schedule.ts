import type { SafeguardDefinition } from '@burgee/protocol/administration/safeguard'
import {
  advanceChecks,
  type CheckState,
  claimSafeguards,
  findNextCheckAt,
  findSafeguards,
  listAdvanceableSafeguards,
  listDueSafeguards,
  type ReportedMetrics,
  type SafeguardWithProject,
  updateCheckState,
} from '@burgee/storage/queries/releases/safeguards'
import { createDueSchedule, type DueSchedule } from '../../core/due-schedule.ts'
import { execute, record } from '../../core/execute.ts'
import { SYSTEM, type World } from '../../core/world.ts'
import type { PrometheusWorld } from '../impact-metrics/prometheus-reader.ts'
import { createPrometheusObserver } from './prometheus-values.ts'
import { tripSafeguard } from './safeguard-trips.ts'
import { type Observation, observe } from './safeguard-values.ts'
import { SharedReads } from './shared-reads.ts'

type SafeguardWorld = World & PrometheusWorld

const MINUTE_MS = 60_000
/** Maximum number of safeguards that share their reads. */
const MAX_BATCH = 250
const CHANGES_CHECK_TIMES = /^(safeguard-|release-plan-progressions-resumed$)/

/**
 * Creates the schedule that checks each safeguard once a minute, on a single node. Calls `onReleased` when a safeguard
 * that held its plan back lets it continue.
 */
export function createSafeguardSchedule(world: SafeguardWorld, onReleased: () => Promise<void>): DueSchedule {
  return createDueSchedule<readonly string[]>(world, {
    name: 'Safeguards',
    listDue: async (reader, now) => {
      const ids = await listDueSafeguards(reader, now, MAX_BATCH)
      return ids.length === 0 ? [] : [ids]
    },
    findNextDueAt: findNextCheckAt,
    handle: async (ids) => {
      const isReleased = await checkSafeguards(world, ids)
      if (isReleased) await onReleased()
    },
    isAffectedBy: ({ type }) => CHANGES_CHECK_TIMES.test(type),
  })
}

/**
 * Makes the safeguards whose metrics have just been written due for a check, so that a trip does not wait for the next
 * minute. Returns true if there are any such safeguards.
 */
export async function advanceSafeguards(world: World, reported: ReportedMetrics): Promise<boolean> {
  const now = world.clock()
  const ids = await world.db.view((reader) => listAdvanceableSafeguards(reader, reported, now))
  if (ids.length === 0) return false
  await record(world, (tx) => advanceChecks(tx, ids, now))
  return true
}

/**
 * Checks a batch of safeguards. Returns true if one of them no longer holds its plan back. A failed check is logged and
 * repeated a minute later. A failure does not affect the other checks.
 */
async function checkSafeguards(world: SafeguardWorld, ids: readonly string[]): Promise<boolean> {
  const now = world.clock()
  const claimed = await record(world, (tx) => claimSafeguards(tx, ids, now))
  const safeguards = await findSafeguards(world.db.reader, claimed)
  let isReleased = false
  const failed: { readonly feature: string; readonly error: unknown }[] = []
  const check = async (safeguard: SafeguardWithProject, observeNow: Observe) => {
    try {
      if (await checkSafeguard(world, { safeguard, now }, observeNow)) isReleased = true
    } catch (error) {
      failed.push({ feature: safeguard.feature_name, error })
    }
  }
  const reads = new SharedReads(world.db)
  for (const safeguard of safeguards.filter(({ definition }) => !isFromPrometheus(definition))) {
    await check(safeguard, (armed) => observe(reads, armed, now))
  }
  const external = safeguards.filter(({ definition }) => isFromPrometheus(definition))
  const observeExternal = createPrometheusObserver(world, now)
  // run several checks at once, so that a slow server delays the batch only once
  await Promise.all(external.map((safeguard) => check(safeguard, observeExternal)))
  const [first] = failed
  if (first !== undefined) {
    const text = `Cannot check ${failed.length} safeguards, the first one of ${JSON.stringify(first.feature)}`
    world.logger.warn(`${text}; retrying in a minute`, first.error)
  }
  return isReleased
}

/**
 * Returns true if a safeguard depends on a query to Prometheus. If the definition is damaged, returns false; the
 * safeguard's own check then fails.
 */
function isFromPrometheus({ impactMetric }: Partial<SafeguardDefinition>): boolean {
  return impactMetric?.source === 'prometheus'
}

/** Evaluates the condition of a safeguard; undefined if there are too few values. */
type Observe = (safeguard: SafeguardWithProject) => Promise<Observation | undefined>

/** Checks a safeguard. Returns true if the safeguard no longer holds its plan back. */
async function checkSafeguard(
  world: SafeguardWorld,
  { safeguard, now }: { readonly safeguard: SafeguardWithProject; readonly now: number },
  observeNow: Observe,
): Promise<boolean> {
  // if the clock was set back, only values recorded since then count
  const armed = { ...safeguard, armed_at: Math.min(safeguard.armed_at, now) }
  const observation = await observeNow(armed)
  world.onSafeguardCheck?.({ id: safeguard.id, value: observation?.value })
  const state = toCheckState(armed, { observation, now })
  if (observation !== undefined && isDue(safeguard, state, now)) {
    await trip(world, safeguard, observation)
    return false
  }
  if (!isChanged(safeguard, state)) return false
  await record(world, (tx) => updateCheckState(tx, state, safeguard.armed_at))
  return safeguard.held === 1 && state.held === 0
}

function isChanged(safeguard: SafeguardWithProject, state: CheckState): boolean {
  const { held, breached_since: since, armed_at: armedAt } = safeguard
  return state.held !== held || state.breached_since !== since || state.armed_at !== armedAt
}

interface Check {
  readonly observation: Observation | undefined
  readonly now: number
}

function toCheckState(safeguard: SafeguardWithProject, { observation, now }: Check): CheckState {
  const { id, armed_at, definition, breached_since: since } = safeguard
  const held = observation === undefined && definition.onNoData === 'hold' ? 1 : 0
  // if the clock was set back, the breach must not seem to have lasted longer
  const breachedSince = observation?.isBreached === true ? Math.min(since ?? now, now) : null
  return { id, armed_at, held, breached_since: breachedSince }
}

/** Returns true if the condition has been met for the required time. */
function isDue({ definition }: SafeguardWithProject, { breached_since: since }: CheckState, now: number): boolean {
  return since !== null && now - since >= (definition.triggerCondition?.forMinutes ?? 0) * MINUTE_MS
}

async function trip(world: World, safeguard: SafeguardWithProject, observed: Observation): Promise<void> {
  const { value, start, end, detail } = observed
  const threshold = safeguard.definition.triggerCondition?.threshold ?? null
  const window = { start: new Date(start).toISOString(), end: new Date(end).toISOString() }
  const input = { id: safeguard.id, armedAt: safeguard.armed_at, trip: { value, threshold, window, detail } }
  await execute(world, SYSTEM, tripSafeguard, input)
}
