import { OutageLog } from '@burgee/kit/log/outage-log'
import { PeriodicJob } from '@burgee/kit/periodic-job'
import type { Delivery } from '@burgee/protocol/administration/delivery-receipt'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import { hasFlagEventAfter } from '@burgee/storage/queries/events/flag-changes'
import { listIntegrations } from '@burgee/storage/queries/integrations/integrations'
import { type Change, execute } from '../../core/execute.ts'
import type { ServerWorld } from '../../core/server-world.ts'
import { SYSTEM } from '../../core/world.ts'
import type { RecentChange } from '../../delivery/fleet/recent-changes.ts'
import type { FeatureEnvironmentRef } from '../flags/feature-ref.ts'
import { readDelivery } from './delivery-view.ts'

/** Periodic check that writes events when a change is in effect everywhere, and when it is overdue. */
export interface DeliveryWatch {
  /** Checks every five seconds. */
  start(): void
  /** Checks once. Rejects on database errors. */
  run(): Promise<void>
  /** Stops checking and waits for a running check. */
  close(): Promise<void>
}

const EVENT_TYPES = ['delivery-completed', 'delivery-overdue'] as const
type DeliveryEventType = (typeof EVENT_TYPES)[number]

/** Change of one flag in one environment. */
interface WatchedChange {
  readonly id: number
  readonly atMs: number
  readonly ref: FeatureEnvironmentRef
}

const EVERY_MS = 5000
const MINUTE_MS = 60_000
/** Time after a change during which its delivery is watched. */
const WATCH_MS = 86_400_000
/** Maximum number of changes per check, newest first. */
const MAX_CHANGES = 20
/**
 * Growth of the age of a change, as a share of the age, after which its receipt is read again. Receipts of large fleets
 * are costly.
 */
const RECHECK_SHARE = 0.1
/** Maximum number of names of applications in an event. */
const MAX_NAMES = 20

/**
 * Creates the check. It writes events only while an enabled integration receives them. A failure is logged, and the
 * check is repeated.
 */
export function createDeliveryWatch(world: ServerWorld, overdueMinutes: number): DeliveryWatch {
  /** Keys of stored delivery events, written by this or by another process: type, and id of the change. */
  const reported = new Set<string>()
  /** Age of each change at its last check, in milliseconds. */
  const checkedAges = new Map<number, number>()
  const run = async () => {
    const watched = listWatched(world).filter(({ id }) => !reported.has(toKey('delivery-completed', id)))
    if (watched.length === 0) return
    const subscribed = await readSubscribedTypes(world.db.reader)
    if (subscribed.size === 0) return
    const overdueMs = overdueMinutes * MINUTE_MS
    for (const change of watched.slice(0, MAX_CHANGES)) {
      const elapsedMs = world.clock() - change.atMs
      if (job.isClosed) return
      if (!isCheckDue(elapsedMs, checkedAges.get(change.id), overdueMs)) continue
      checkedAges.set(change.id, elapsedMs)
      const delivery = await readDeliveryIfPresent(world, change)
      const type = getEventType(delivery, elapsedMs >= overdueMs)
      if (delivery === undefined || type === undefined || !subscribed.has(type)) continue
      const key = toKey(type, change.id)
      if (reported.has(key)) continue
      await execute(world, SYSTEM, writeDeliveryEvent, { type, change, data: toData(delivery, elapsedMs) })
      reported.add(key)
    }
    forgetOld({ reported, checkedAges }, world)
  }
  const outage = new OutageLog({
    begins: (error) => world.logger.warn('Cannot watch the delivery of changes; retrying', error),
    ends: () => world.logger.info('Watching the delivery of changes works again'),
  })
  const job = new PeriodicJob({ run, firstMs: EVERY_MS, everyMs: EVERY_MS, outage })
  return { start: () => job.start(), run, close: () => job.close() }
}

const toKey = (type: DeliveryEventType, id: number) => `${type} ${id}`

/** Returns the last change of each flag in each environment, newest first. */
function listWatched({ fleet, clock }: Pick<ServerWorld, 'fleet' | 'clock'>): WatchedChange[] {
  const since = clock() - WATCH_MS
  const last = new Map<string, WatchedChange>()
  for (const change of fleet.changes.all.toReversed()) {
    const ref = toRef(change)
    if (ref === undefined || change.atMs < since) continue
    const key = JSON.stringify([ref.feature, ref.environment])
    if (!last.has(key)) last.set(key, { id: change.id, atMs: change.atMs, ref })
  }
  return [...last.values()]
}

/** Returns the flag and environment of a change; undefined if the change affects several flags or environments. */
function toRef({ project, featureName: feature, environment }: RecentChange): FeatureEnvironmentRef | undefined {
  return project === null || feature === null || environment === '' ? undefined : { project, feature, environment }
}

/** Returns the types of delivery events that an enabled integration receives. */
async function readSubscribedTypes(reader: Reader): Promise<ReadonlySet<DeliveryEventType>> {
  const enabled = (await listIntegrations(reader)).filter((row) => row.enabled === 1)
  return new Set(EVENT_TYPES.filter((type) => enabled.some(({ event_types: types }) => types.includes(type))))
}

/** Returns the receipt of a change; undefined if the flag is gone or a later change has replaced the change. */
async function readDeliveryIfPresent(world: ServerWorld, { id, ref }: WatchedChange): Promise<Delivery | undefined> {
  try {
    const delivery = await readDelivery(world, ref, undefined)
    return delivery?.event === id ? delivery : undefined
  } catch (error) {
    if (error instanceof Problem && error.name === 'NotFoundError') return undefined
    throw error
  }
}

/**
 * Returns the type of the event that a receipt gives rise to. A receipt without connections and a receipt that may lack
 * connections never count as complete.
 */
function getEventType(delivery: Delivery | undefined, isOverdue: boolean): DeliveryEventType | undefined {
  if (delivery === undefined) return undefined
  const { processes, edges, isIncomplete } = delivery
  if (processes.known + edges.length === 0) return undefined
  const isEverywhere = processes.held === processes.known && edges.every(({ isHeld }) => isHeld)
  if (!isEverywhere) return isOverdue ? 'delivery-overdue' : undefined
  return isIncomplete ? undefined : 'delivery-completed'
}

/** Numbers of a receipt, as the event contains them. */
interface DeliveryData {
  readonly processes: number
  readonly held: number
  readonly edges: number
  readonly edgesHeld: number
  /** Names of applications and edges that lack the change. */
  readonly waitingFor: readonly string[]
  readonly seconds: number
}

function toData({ processes, edges }: Delivery, elapsedMs: number): DeliveryData {
  const edgesWithout = edges.filter(({ isHeld }) => !isHeld)
  const names = [...edgesWithout.map(({ name }) => name), ...processes.waiting.map(({ appName }) => appName)]
  return {
    processes: processes.known,
    held: processes.held,
    edges: edges.length,
    edgesHeld: edges.length - edgesWithout.length,
    waitingFor: [...new Set(names)].slice(0, MAX_NAMES),
    seconds: Math.round(elapsedMs / 1000),
  }
}

interface DeliveryNote {
  readonly type: DeliveryEventType
  readonly change: WatchedChange
  readonly data: DeliveryData
}

/**
 * Writes an event about the delivery of a change, unless another node has written it. Checks under the writer lock, so
 * that concurrent nodes write one event.
 */
const writeDeliveryEvent: Change<DeliveryNote, void> = async (tx, { type, change: { id, ref }, data }) => {
  const { project, feature: featureName, environment } = ref
  if (await hasFlagEventAfter(tx, { type, feature: featureName, environment, id })) {
    return { result: undefined, events: [] }
  }
  const event = { type, project, featureName, environment, data: { event: id, ...data } }
  return { result: undefined, events: [event] }
}

/**
 * Returns true for the first check of a change, when the change has become overdue, and when a part of its age has
 * passed since the last check.
 */
function isCheckDue(ageMs: number, checkedAgeMs: number | undefined, overdueMs: number): boolean {
  if (checkedAgeMs === undefined) return true
  const hasBecomeOverdue = checkedAgeMs < overdueMs && ageMs >= overdueMs
  return hasBecomeOverdue || ageMs - checkedAgeMs >= ageMs * RECHECK_SHARE
}

interface WatchState {
  readonly reported: Set<string>
  readonly checkedAges: Map<number, number>
}

/** Removes the state of changes that are no longer recorded. */
function forgetOld({ reported, checkedAges }: WatchState, { fleet }: Pick<ServerWorld, 'fleet'>): void {
  const first = fleet.changes.all[0]?.id ?? 0
  for (const key of reported) if (Number(key.split(' ')[1]) < first) reported.delete(key)
  for (const id of checkedAges.keys()) if (id < first) checkedAges.delete(id)
}
