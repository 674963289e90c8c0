import { setTimeout as sleep } from 'node:timers/promises'
import { OutageLog } from '@burgee/kit/log/outage-log'
import { PeriodicJob } from '@burgee/kit/periodic-job'
import { removeLogins } from '@burgee/storage/queries/access/login-history'
import { readExportPosition } from '@burgee/storage/queries/events/export-position'
import { removeGaugeReports } from '@burgee/storage/queries/impact/gauge-reports'
import { RESOLUTIONS } from '@burgee/storage/queries/impact/impact-points'
import { PRESENCE_TTL_MS, removePresences } from '@burgee/storage/queries/presence/flag-presences'
import { type BatchStep, runStepExclusively } from '@burgee/storage/queries/retention/deletion-batch'
import {
  listExpiredPersonalTokens,
  listExpiredTokens,
  removeExpiredAccess,
} from '@burgee/storage/queries/retention/old-access'
import { type RequestCursor, removeChangeRequests } from '@burgee/storage/queries/retention/old-change-requests'
import { type EventCursor, removeEvents } from '@burgee/storage/queries/retention/old-events'
import {
  foldImpact,
  listImpactFolds,
  removeImpactPoints,
  removeUnseenImpact,
} from '@burgee/storage/queries/retention/old-impact'
import { foldUsage, getFoldedBefore, removeUsage } from '@burgee/storage/queries/retention/old-usage'
import { removeUnseen } from '@burgee/storage/queries/retention/unseen'
import { removeExpiredTestRuns } from '@burgee/storage/queries/test-runs/test-runs'
import { DAY_MS, startOfDay } from '@burgee/storage/queries/usage/usage-reads'
import { countRows, GROWING_TABLES, type GrowingTable, readDatabaseBytes } from '@burgee/storage/table-sizes'
import { removePersonalToken } from '../../core/access/tokens/personal-tokens.ts'
import { removeToken } from '../../core/access/tokens/tokens.ts'
import { execute } from '../../core/execute.ts'
import type { ServerOptions } from '../../core/options/options.ts'
import type { RETENTION_OPTIONS } from '../../core/options/retention-options.ts'
import { SYSTEM, type World } from '../../core/world.ts'

/** Retention periods in days, where 0 means indefinitely, and the receiver of exported events. */
export type RetentionRules = Pick<ServerOptions, keyof typeof RETENTION_OPTIONS | 'auditExportUrl'>

/** Size of the database at the last measurement. */
export interface Sizes {
  readonly bytes: number
  readonly rows: ReadonlyMap<GrowingTable, number>
}

/** Periodic removal of data past its retention. */
export interface Retention {
  /** Starts the schedule: first run after one minute, then an hour after each run. */
  start(): void
  /** Removes everything that is due for removal, and measures the database. Throws database errors. */
  run(): Promise<void>
  /** Returns the last measurement; undefined before the first measurement. */
  sizes(): Sizes | undefined
  /** Stops the schedule and waits for the current step. */
  close(): Promise<void>
}

const FIRST_MS = 60_000
const EVERY_MS = 3_600_000
/** Pause between steps, for other work on the database. */
const PAUSE_MS = 20

/**
 * Creates the job that removes data past its retention period. The job works in small transactions with pauses. If
 * there are several nodes, only one node runs a step at a time. A failed run is logged and retried an hour later.
 */
export function createRetention(world: World, rules: RetentionRules): Retention {
  let sizes: Sizes | undefined
  const pause = () => sleep(PAUSE_MS)
  const walk = async (step: BatchStep) => {
    while (!job.isClosed && (await runStepExclusively(world.db, step)) === true) {
      await world.db.reclaim?.()
      await pause()
    }
  }
  const run = async () => {
    const now = world.clock()
    world.debug?.('Deleting data past its retention time')
    for (const step of buildSteps(rules, now)) await walk(step)
    if (!job.isClosed) await removeTokens(world, rules, now)
    while (!job.isClosed && (await world.db.reclaim?.()) === true) await pause()
    if (!job.isClosed) sizes = await measureSizes(world, pause)
  }
  const outage = new OutageLog({
    begins: (error) => world.logger.warn('Cannot delete expired data; retrying in an hour', error),
    ends: () => world.logger.info('Deleting expired data works again'),
  })
  const job = new PeriodicJob({ run, firstMs: FIRST_MS, everyMs: EVERY_MS, outage })
  return { start: () => job.start(), run, sizes: () => sizes, close: () => job.close() }
}

function buildSteps(rules: RetentionRules, now: number): BatchStep[] {
  const steps: BatchStep[] = [
    (tx) => removeExpiredAccess(tx, now),
    (tx) => removePresences(tx, now - PRESENCE_TTL_MS),
    (tx) => removeGaugeReports(tx, now - DAY_MS),
    (tx) => removeExpiredTestRuns(tx, now),
  ]
  const add = (kept: number, step: (before: number) => BatchStep) => {
    if (kept > 0) steps.push(step(now - kept * DAY_MS))
  }
  add(rules.unseenRetentionDays, (before) => (tx) => removeUnseen(tx, before))
  add(rules.usageRetentionDays, (before) => (tx) => removeUsage(tx, startOfDay(before)))
  const folded = getFoldedBefore(now, rules.hourlyUsageRetentionDays)
  if (folded !== undefined) steps.push((tx) => foldUsage(tx, folded))
  for (const fold of listImpactFolds(now)) steps.push((tx) => foldImpact(tx, fold))
  for (const resolution of RESOLUTIONS) {
    add(rules.impactRetentionDays, (before) => (tx) => removeImpactPoints(tx, resolution, before))
  }
  add(rules.impactRetentionDays, (before) => (tx) => removeUnseenImpact(tx, before))
  const requests: RequestCursor = { lastId: 0 }
  add(rules.changeRequestRetentionDays, (before) => (tx) => removeChangeRequests(tx, requests, before))
  add(rules.loginRetentionDays, (before) => (tx) => removeLogins(tx, before))
  const walk: EventCursor = { lastId: 0 }
  add(rules.eventRetentionDays, (before) => async (tx) => {
    // events that another system has yet to receive are not deleted, however old they are
    const upTo = rules.auditExportUrl === undefined ? undefined : ((await readExportPosition(tx)) ?? 0)
    return removeEvents(tx, walk, { before, upTo })
  })
  return steps
}

/**
 * Removes expired tokens. The removal of a token creates an event with the server as its author, because token changes
 * are audited.
 */
async function removeTokens(world: World, { expiredTokenRetentionDays: kept }: RetentionRules, now: number) {
  if (kept === 0) return
  const before = now - kept * DAY_MS
  for (const token of await listExpiredTokens(world.db.reader, before)) {
    await execute(world, SYSTEM, removeToken, { token })
  }
  for (const token of await listExpiredPersonalTokens(world.db.reader, before)) {
    await execute(world, SYSTEM, removePersonalToken, token)
  }
}

async function measureSizes({ db }: World, pause: () => Promise<void>): Promise<Sizes> {
  const rows = new Map<GrowingTable, number>()
  for (const table of GROWING_TABLES) {
    rows.set(table, await countRows(db, table, pause))
    await pause()
  }
  return { rows, bytes: await readDatabaseBytes(db) }
}
