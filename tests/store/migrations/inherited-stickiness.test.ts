import { describe, expect, test } from 'vitest'
import type { TestDatabase } from '../../support/test-database.ts'
import { DRIVERS } from '../drivers.ts'
import { makeOldTables } from './old-database.ts'

const IMPORTED_AT = 100

interface Row {
  readonly name: string
  readonly sticky: string
  readonly variants: readonly string[]
  readonly createdAt: number
  readonly isEdited?: true
  readonly after: readonly (string | undefined)[]
}

const ROWS: readonly Row[] = [
  {
    name: 'written here',
    sticky: 'orgId',
    variants: ['default', 'default'],
    createdAt: 200,
    after: [undefined, undefined],
  },
  {
    name: 'one with its own stickiness',
    sticky: 'orgId',
    variants: ['default', 'userId'],
    createdAt: 200,
    after: [undefined, 'userId'],
  },
  {
    name: 'a strategy that sticks to the default',
    sticky: 'default',
    variants: ['default'],
    createdAt: 200,
    after: ['default'],
  },
  { name: 'imported', sticky: 'orgId', variants: ['default'], createdAt: 50, after: ['default'] },
  {
    name: 'imported and edited here',
    sticky: 'orgId',
    variants: ['default'],
    createdAt: 50,
    isEdited: true,
    after: [undefined],
  },
]

async function fill(look: TestDatabase): Promise<void> {
  const event = (type: string, at: number, feature: string | null, data: unknown) =>
    look.rows(
      `insert into events (created_at, type, created_by, created_by_user_id, environment, feature_name, data, pre_data, tags)
       values (?, ?, 'x', 1, ?, ?, ?, 'null', '[]')`,
      ...[at, type, feature && 'development', feature, JSON.stringify(data)],
    )
  await event('instance-imported', IMPORTED_AT, null, null)
  for (const { name, sticky, variants, createdAt, isEdited } of ROWS) {
    await look.rows(
      `insert into features (name, project, description, type, stale, impression_data, created_at) values (?, 'default', null, 'release', 0, 0, 0)`,
      name,
    )
    await look.rows(
      `insert into feature_environments (feature_name, environment, enabled, variants) values (?, 'development', 1, '[]')`,
      name,
    )
    const stored = variants.map((stickiness, at) => ({
      name: `v${at}`,
      weight: 500,
      weightType: 'variable',
      stickiness,
    }))
    const parameters = { rollout: '100', stickiness: sticky, groupId: name }
    await look.rows(
      `insert into feature_strategies (id, feature_name, environment, name, title, disabled, parameters, constraints, variants, sort_order, created_at)
       values (?, ?, 'development', 'flexibleRollout', null, 0, ?, '[]', ?, 0, ?)`,
      ...[`id of ${name}`, name, JSON.stringify(parameters), JSON.stringify(stored), createdAt],
    )
    if (isEdited) await event('feature-strategy-update', 300, name, { id: `id of ${name}` })
  }
}

describe.each(DRIVERS)('the inherited stickiness of strategy variants on $name', (driver) => {
  test('comes back where this server had replaced it, with an event for each strategy', async () => {
    const place = await driver.place()
    await makeOldTables(place.where, '0042-own-email')
    const look = await place.look()
    await fill(look)
    const last = Number((await look.row('select max(id) as id from events'))?.id)
    await (await place.open()).close()
    for (const { name, after } of ROWS) {
      const row = await look.row('select variants from feature_strategies where feature_name = ?', name)
      const variants = JSON.parse(String(row?.variants)) as { stickiness?: string }[]
      expect([name, variants.map(({ stickiness }) => stickiness)]).toEqual([name, after])
    }
    const events = await look.rows(
      'select feature_name, type, created_by, reach, data, pre_data from events where id > ? order by feature_name',
      last,
    )
    expect(events.map(({ feature_name, type, created_by, reach }) => [feature_name, type, created_by, reach])).toEqual(
      ['imported and edited here', 'one with its own stickiness', 'written here'].map((name) => [
        ...[name, 'feature-strategy-update', 'system', 'development'],
      ]),
    )
    expect(String(events[0]?.pre_data)).toContain('"stickiness":"default"')
    expect(JSON.parse(String(events[0]?.data)).variants).toEqual([{ name: 'v0', weight: 500, weightType: 'variable' }])
    await look.close()
    await place.remove()
  })
})
