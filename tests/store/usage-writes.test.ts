import { randomBytes } from 'node:crypto'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { createBroadcast } from '@burgee/server/delivery/events/broadcast'
import { createUsage } from '@burgee/server/delivery/usage/usage-buffer'
import type { Database } from '@burgee/storage/database'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { seedInstance } from '../../bench/seed.ts'
import { keptLog } from '../support/kept-log.ts'
import { NO_SECRETS } from '../support/place.ts'
import { DRIVERS } from './drivers.ts'

const FLAGS = 1800
const MOST_OF_A_TRANSACTION = 500

/** Usage is written in small transactions, so that other writes do not have to wait long. */
describe.each(DRIVERS)('on $name', (driver) => {
  let db: Database
  let remove: () => Promise<void>
  let names: string[]
  beforeAll(async () => {
    const place = await driver.place()
    remove = place.remove
    db = await place.open()
    await seedInstance(db, { features: FLAGS, environments: 1, strategies: 1, seed: 1 })
    names = (await db.reader.selectFrom('features').select('name').execute()).map(({ name }) => name)
  })
  afterAll(async () => {
    await db.close()
    await remove()
  })

  /**
   * Creates the counts of one second for every flag. The transactions of the database are counted and can be made to
   * fail.
   */
  function usageOf(fails: (transaction: number) => boolean = () => false) {
    let transactions = 0
    let turns = 0
    const count: Database['count'] = async (work) => {
      transactions += 1
      const own = transactions
      // other tasks on the event loop run between two transactions
      setImmediate(() => {
        turns += 1
      })
      if (fails(own)) throw new Error('the disk is full')
      return db.count(work)
    }
    const log = keptLog()
    const base = {
      clock: Date.now,
      monotonic: PROCESS_CLOCK,
      random: randomBytes,
      logger: log.logger,
      secrets: NO_SECRETS,
      broadcast: createBroadcast(log.logger),
    }
    const usage = createUsage({ ...base, db: { ...db, count } })
    const report = (appName: string) => {
      const now = new Date().toISOString()
      const toggles = Object.fromEntries(names.map((name) => [name, { yes: 1, no: 2 }]))
      const reporter = { key: 'k', environment: 'development', projects: ['*'], isPublic: false }
      usage.count(reporter, appName, { start: now, stop: now, toggles })
    }
    return { usage, report, log, counted: () => ({ transactions, turns }) }
  }
  const sums = async (appName: string) => {
    const rows = await db.reader.selectFrom('client_metrics').selectAll().where('app_name', '=', appName).execute()
    return { rows: rows.length, yes: rows.reduce((sum, row) => sum + row.yes, 0) }
  }

  test('much at once is several transactions, between which others have their turn', async () => {
    const { usage, report, counted } = usageOf()
    report('many')
    await usage.flush()
    expect(await sums('many')).toEqual({ rows: FLAGS, yes: FLAGS })
    const { transactions, turns } = counted()
    expect(transactions).toBe(Math.ceil(FLAGS / MOST_OF_A_TRANSACTION))
    expect(turns).toBeGreaterThanOrEqual(transactions - 1)
    await usage.close()
  })

  test('much that cannot be written is not tried again at once, by itself or with each report', async () => {
    // the one-second retry delay must not elapse, however slow the machine is
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { usage, report, counted } = usageOf((transaction) => transaction <= 3)
    const apps = Array.from({ length: 6 }, (_, index) => `app-${index}`)
    for (const app of apps) report(app)
    await usage.flush()
    for (let turn = 0; turn < 50; turn += 1) {
      report('app-0')
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(counted().transactions).toBeLessThanOrEqual(2)
    for (let again = 0; again < 3; again += 1) await usage.flush()
    expect((await sums('app-5')).rows).toBe(FLAGS)
    expect((await sums('app-0')).yes).toBe(51 * FLAGS)
    await usage.close()
  })

  test('counts written before a failure are not written again, and the rest is', async () => {
    const { usage, report, log } = usageOf((transaction) => transaction === 3)
    report('half')
    await usage.flush()
    expect((await sums('half')).rows).toBe(2 * MOST_OF_A_TRANSACTION)
    await usage.flush()
    expect(await sums('half')).toEqual({ rows: FLAGS, yes: FLAGS })
    expect(log.lines).toEqual([expect.stringContaining('Cannot write usage; retrying with the next write')])
    await usage.close()
  })
})
