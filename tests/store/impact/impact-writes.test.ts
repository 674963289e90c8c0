import type { Database } from '@burgee/storage/database'
import type { ImpactMinute } from '@burgee/storage/queries/impact/impact-minutes'
import {
  addPacked,
  createColumns,
  getWidth,
  MINUTES,
  QUARTERS,
  RESOLUTIONS,
  type Resolution,
  THREE_HOURS,
} from '@burgee/storage/queries/impact/impact-points'
import { addImpactMinutes } from '@burgee/storage/queries/impact/impact-writes'
import {
  foldImpact,
  listImpactFolds,
  removeImpactPoints,
  removeUnseenImpact,
} from '@burgee/storage/queries/retention/old-impact'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DRIVERS, type Place } from '../drivers.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** 00:30 of some day. */
const NOW = 20_000 * DAY + 30 * MINUTE
const LIMITS = { metrics: 3, series: 2 }

function minute(values: readonly number[], more: Partial<ImpactMinute> = {}): ImpactMinute {
  const labels = [['appName', 'shop']] as const
  const metric = {
    environment: 'development',
    type: 'counter',
    name: 'errors',
    projects: ['default'],
    help: '',
  } as const
  return { ...metric, labels, bounds: [], minute: NOW, values, isPublic: false, ...more }
}

describe.each(DRIVERS)('impact metrics on $name', (driver) => {
  let place: Place
  let db: Database
  beforeEach(async () => {
    place = await driver.place()
    db = await place.open()
  })
  afterEach(async () => {
    await db.close()
    await place.remove()
  })

  const add = (minutes: readonly ImpactMinute[], now = NOW, on = db) =>
    on.count((tx) => addImpactMinutes(tx, minutes, { now, limits: LIMITS }))

  /** Returns the stored values that are not 0, by time, in order of the metric, its labels and bounds. */
  async function read(resolution: Resolution = MINUTES) {
    const rows = await db.reader
      .selectFrom('impact_points as p')
      .innerJoin('impact_series as s', 's.id', 'p.series_id')
      .innerJoin('impact_metrics as m', 'm.id', 's.metric_id')
      .select(['m.type', 's.labels', 's.bounds', 'p.start', 'p.packed'])
      .where('p.step', '=', resolution.step)
      .orderBy('m.name')
      .orderBy('s.labels')
      .orderBy('s.bounds')
      .orderBy('p.start')
      .execute()
    return rows.flatMap(({ type, labels, bounds, start, packed }) => {
      const columns = createColumns(getWidth(type, bounds.length), resolution)
      addPacked(columns, packed)
      const slots = Array.from({ length: resolution.span / resolution.step }, (_, slot) => slot)
      return slots.flatMap((slot) => {
        const values = columns.map((column) => column[slot] ?? 0)
        if (values.every((value) => value === 0)) return []
        return [{ label: labels[0]?.[1], at: (Number(start) + slot * resolution.step - NOW) / MINUTE, values }]
      })
    })
  }

  test('adds values to the minutes of their series', async () => {
    await add([minute([1]), minute([2], { minute: NOW + MINUTE })])
    await add([minute([10]), minute([5], { labels: [['appName', 'other']] })])
    expect(await read()).toEqual([
      { label: 'other', at: 0, values: [5] },
      { label: 'shop', at: 0, values: [11] },
      { label: 'shop', at: 1, values: [2] },
    ])
  })

  test('loses no value if several nodes write to the same series at the same time', async () => {
    const other = await place.open().catch(() => undefined)
    const nodes = [db, other ?? db]
    const labels = Array.from({ length: 2 }, (_, index) => [['appName', `app ${index}`]] as const)
    const writes = Array.from({ length: 40 }, (_, index) => {
      const minutes = labels.map((own) => minute([1], { labels: own }))
      return add(index % 2 === 0 ? minutes : minutes.toReversed(), NOW, nodes[index % 2])
    })
    await Promise.all(writes)
    await other?.close()
    expect((await read()).map(({ values }) => values)).toEqual([[40], [40]])
  })

  test('keeps histograms with different bounds and metrics of different projects apart', async () => {
    const histogram = { type: 'histogram', name: 'latency', labels: [] } as const
    await add([
      minute([5, 1, 0], { ...histogram, bounds: [1] }),
      minute([7, 1, 2], { ...histogram, bounds: [2] }),
      minute([1], { projects: ['secret'] }),
      minute([1]),
    ])
    expect((await read()).map(({ values }) => values)).toEqual([[1], [1], [5, 1, 0], [7, 1, 2]])
  })

  test('stores an announced metric without a series', async () => {
    await add([minute([], { labels: [] })])
    const metrics = await db.reader.selectFrom('impact_metrics').select(['name', 'source_projects']).execute()
    expect(metrics).toEqual([{ name: 'errors', source_projects: ['default'] }])
    expect(await db.reader.selectFrom('impact_series').selectAll().execute()).toEqual([])
  })

  test('adds series above the limit to the series `other`, and refuses metrics above the limit', async () => {
    const apps = Array.from({ length: 5 }, (_, index) => minute([1], { labels: [['appName', String(index)]] }))
    expect(await add(apps)).toEqual({ metrics: 0, series: 3 })
    expect(await add(apps)).toEqual({ metrics: 0, series: 3 })
    expect((await read()).map(({ label, values }) => [label, values])).toEqual([
      ['0', [2]],
      ['1', [2]],
      ['true', [6]],
    ])
    const names = Array.from({ length: 5 }, (_, index) => minute([1], { name: `m${index}` }))
    expect(await add(names)).toEqual({ metrics: 3, series: 0 })
    // other environments have their own limits
    expect(await add([minute([1], { environment: 'production' })])).toEqual({ metrics: 0, series: 0 })
  })

  test('leaves half of the metrics and series to sources that are not public', async () => {
    const open = { isPublic: true } as const
    for (let index = 0; index < 6; index += 1) {
      await add([
        minute([1], { ...open, name: `page ${index}` }),
        minute([], { ...open, name: `announced ${index}`, labels: [] }),
        minute([1], { ...open, labels: [['appName', `page ${index}`]], name: 'page 0' }),
      ])
    }
    expect(await add([minute([1], { name: 'server' })])).toEqual({ metrics: 0, series: 0 })
    expect(await add([minute([1], { name: 'page 0', labels: [['appName', 'server']] })])).toMatchObject({ series: 0 })
    const rows = await db.reader.selectFrom('impact_metrics').select(['name', 'is_public']).orderBy('name').execute()
    expect(rows).toEqual([
      { name: 'announced 0', is_public: 1 },
      { name: 'page 0', is_public: 0 },
      { name: 'server', is_public: 0 },
    ])
  })

  test('limits the series `other` of invented bounds', async () => {
    for (let bound = 1; bound <= 60; bound += 1) {
      const labels = [['appName', `app ${bound}`]] as const
      await add([minute([1, 1, 0], { type: 'histogram', labels, bounds: [bound] })])
    }
    const series = await db.reader.selectFrom('impact_series').select('id').execute()
    expect(series).toHaveLength(LIMITS.series + 20)
  })

  test('folds points to 15 minutes and three hours, and deletes them', async () => {
    const gauge = { type: 'gauge', name: 'mem' } as const
    await add([
      minute([1]),
      minute([2], { minute: NOW + MINUTE }),
      minute([4], { minute: NOW + 15 * MINUTE }),
      minute([6, 2], gauge),
      minute([8, 2], { ...gauge, minute: NOW + MINUTE }),
    ])
    const run = async (now: number) => {
      for (const fold of listImpactFolds(now)) while (await db.count((tx) => foldImpact(tx, fold)));
      for (const one of RESOLUTIONS) while (await db.count((tx) => removeImpactPoints(tx, one, now - 90 * DAY)));
      while (await db.count((tx) => removeUnseenImpact(tx, now - 90 * DAY)));
    }
    await run(NOW + DAY)
    expect(await read()).toHaveLength(5)
    await run(NOW + 3 * DAY)
    expect(await read()).toEqual([])
    expect(await read(QUARTERS)).toEqual([
      { label: 'shop', at: 0, values: [3] },
      { label: 'shop', at: 15, values: [4] },
      { label: 'shop', at: 0, values: [14, 4, 2] },
    ])
    await run(NOW + 16 * DAY)
    expect(await read(QUARTERS)).toEqual([])
    expect((await read(THREE_HOURS)).map(({ values }) => values)).toEqual([[7], [14, 4, 2]])
    await run(NOW + 102 * DAY)
    expect(await read(THREE_HOURS)).toEqual([])
    expect(await db.reader.selectFrom('impact_metrics').select('id').execute()).toEqual([])
  })
})
