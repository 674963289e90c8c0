import { randomBytes } from 'node:crypto'
import type { Installation } from '@burgee/import/model/installation'
import type { ImportSource } from '@burgee/import/model/source'
import { createUnleashDatabaseSource } from '@burgee/import/unleash/unleash-database-source'
import { SILENT } from '@burgee/kit/log/logger'
import { runImport } from '@burgee/server/boot/operator/import'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readyPlace } from '../../support/place.ts'
import { optionsOf, startServer } from '../scenario.ts'
import { type UnleashDatabase, unleashDatabase } from './unleash-source.ts'

const SHOP = 'shop:production.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const KEY = { secretKey: Buffer.alloc(32, 7).toString('base64') }

let database: UnleashDatabase
beforeAll(async () => {
  database = await unleashDatabase()
})
afterAll(() => database.remove())

/** Imports from the database, including the final comparison. Returns the flags that SDKs receive. */
async function imported(closeUnguarded: boolean, changeRead = (read: Installation) => read) {
  const place = await readyPlace()
  const source = createUnleashDatabaseSource({ url: database.url, schema: 'public' }, Date.now)
  const changed: ImportSource = { ...source, read: async () => changeRead(await source.read()) }
  const deps = {
    options: optionsOf({ ...place.options, ...KEY }),
    clock: Date.now,
    random: randomBytes,
    logger: SILENT,
  }
  const report = await runImport(deps, changed, {
    mode: 'fresh',
    events: 'none',
    integrationsOn: false,
    isTrial: false,
    closeUnguarded,
    progress: () => {},
    verify: { asked: { seed: 1, contexts: 200, nowMs: Date.now() }, progress: () => {} },
  })
  await source.close()
  const server = await startServer(KEY, Date.now, { place })
  const reply = await server.call({ as: SHOP, call: 'GET /api/client/features' })
  await server.close()
  const { features } = JSON.parse(reply.body) as {
    features: { name: string; enabled: boolean; strategies: unknown[] }[]
  }
  const flags = new Map(features.map(({ name, enabled, strategies }) => [name, [enabled, strategies.length]]))
  return { report, flags, verified: report.verified }
}

const differingIn = (verified: Awaited<ReturnType<typeof imported>>['verified']) =>
  verified?.parts.flatMap(({ environment, differences }) => differences.map(({ flag }) => `${flag} in ${environment}`))

describe('flags that are on without an enabled strategy', () => {
  test('stay on for everyone, which the tables of the source itself confirm', async () => {
    const { flags, verified } = await imported(false)
    expect([flags.get('none-enabled'), flags.get('without-any')]).toEqual([
      [true, 1],
      [true, 1],
    ])
    expect(verified).toMatchObject({ isFromSource: true, reported: ['parent'] })
    expect(differingIn(verified)).toEqual([])
  })

  test('become disabled with closeUnguarded, and the report names them as different', async () => {
    const { flags, verified, report } = await imported(true)
    expect([flags.get('none-enabled'), flags.get('without-any')]).toEqual([
      [false, 0],
      [false, 0],
    ])
    expect(verified?.reported).toEqual(['none-enabled', 'parent', 'without-any'])
    expect(differingIn(verified)).toEqual([])
    const named = report.notes.filter(({ words }) => words.includes('turned off here'))
    expect(named.map(({ name, fidelity }) => [name, fidelity])).toEqual([
      ['none-enabled in production', 'approximated'],
      ['without-any in production', 'approximated'],
    ])
  })
})

test('the comparison finds what reading has lost', async () => {
  const withoutConstraints = (read: Installation): Installation => ({
    ...read,
    flags: read.flags.map((flag) => ({
      ...flag,
      states: flag.states.map((state) => ({
        ...state,
        strategies: state.strategies.map((strategy) => ({ ...strategy, constraints: [] })),
      })),
    })),
  })
  const { verified } = await imported(false, withoutConstraints)
  expect(differingIn(verified)).toEqual(['child in production'])
})

test('lists that are longer than this server allows are imported completely, and the report names them', async () => {
  const lengthen = (read: Installation): Installation => ({
    ...read,
    flags: read.flags.map((flag) => ({
      ...flag,
      tags:
        flag.name === 'child' ? Array.from({ length: 101 }, (_, n) => ({ type: 'simple', value: `t${n}` })) : flag.tags,
      states: flag.states.map((state) => {
        const [first] = state.strategies
        if (flag.name !== 'child' || first === undefined) return state
        return { ...state, strategies: Array.from({ length: 101 }, () => ({ ...first, id: undefined })) }
      }),
    })),
  })
  const { report, flags } = await imported(false, lengthen)
  expect(flags.get('child')?.[1]).toBe(101)
  const words = report.notes.filter((note) => note.words.includes('all imported')).map((note) => note.words)
  expect(words).toContain(
    'it has 101 tags, all imported; no more can be added, because the maximum of this server is 100',
  )
  expect(words).toContain(
    'it has 101 strategies, all imported; no more can be added, because the maximum of this server is 100',
  )
})
