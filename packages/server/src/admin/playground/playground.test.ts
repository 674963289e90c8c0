import { describe, expect, test } from 'vitest'
import type { Catalog } from '../catalog/catalog.ts'
import { CatalogFlag } from '../catalog/catalog-flag.ts'
import { FlagTable } from '../catalog/flag-table.ts'
import { createExplainEngines } from './explain-engines.ts'
import { CallerGone, createPlayground } from './playground.ts'

const row = (name: string) => ({
  name,
  project: 'default',
  type: 'release',
  description: null,
  stale: 0,
  impression_data: 0,
  created_at: 0,
  archived_at: null,
  last_seen_at: null,
  potentially_stale: 0,
  created_by: null,
  created_by_user_id: null,
})
const development = { environment: 'development', type: 'development', sort_order: 1, enabled: 1, variants: [] }
const createFlag = (name: string) =>
  new CatalogFlag(
    {
      row: row(name),
      environments: [{ ...development, last_seen_at: null }],
      strategies: [],
      tags: [],
      parents: [],
      stages: [],
      links: [],
      plans: [],
    },
    0,
  )

/** Creates a playground with the given number of flags, all enabled for everyone. */
function createPlaygroundWithFlags(flags: number, mostCharacters?: number) {
  const names = Array.from({ length: flags }, (_none, index) => `flag-${index}`)
  const table = new FlagTable(names.map(createFlag), [])
  const catalog = { flags: async () => ({ table, state: '', version: 1 }) } as unknown as Catalog
  const engines = createExplainEngines({ clock: () => 0, random: () => new Uint8Array(4) })
  return createPlayground({ catalog, engines }, mostCharacters)
}

const request = (contexts = 1) => ({
  environments: ['development'],
  context: { appName: 'a', userId: Array.from({ length: contexts }, (_none, index) => `${index}`).join(',') },
})
const there = { basePath: '', isGone: () => false }
const readBody = async (content: Promise<{ bytes(): Buffer }>) => JSON.parse((await content).bytes().toString())

describe('a large playground response', () => {
  test('contains all of more than 15000 results', async () => {
    const { features } = await readBody(createPlaygroundWithFlags(2000).advanced(request(10), there))
    expect(features).toHaveLength(2000)
    expect(features.at(-1).environments.development).toHaveLength(10)
    expect(features.at(-1).environments.development[9]).toMatchObject({ isEnabled: true, context: { userId: '9' } })
  })

  test('fails above the length limit, and names the limit', async () => {
    await expect(createPlaygroundWithFlags(100, 10_000).advanced(request(), there)).rejects.toThrow(
      'longer than 10000 characters',
    )
    await expect(createPlaygroundWithFlags(5, 10_000).advanced(request(), there)).resolves.toBeDefined()
  })

  test.each([
    { name: 'repeat the context too often', flags: 1000, text: 'x'.repeat(100_000), error: 'longer than 67108864' },
    { name: 'have too large contexts', flags: 1, text: 'x'.repeat(10_000), users: 2000, error: 'have 2001' },
  ])('fails before the evaluation if its results would $name', async ({ flags, text, users = 1, error }) => {
    const isGone = () => {
      throw new Error('evaluated')
    }
    const context = { appName: 'a', userId: ','.repeat(users - 1), properties: { text } }
    const playground = createPlaygroundWithFlags(flags)
    await expect(playground.advanced({ ...request(), context }, { ...there, isGone })).rejects.toThrow(error)
  })

  test('fails before the evaluation of more than 100000 results', async () => {
    await expect(createPlaygroundWithFlags(1001).advanced(request(100), there)).rejects.toThrow(
      'the maximum per request is 100000',
    )
  })

  test('stops once the caller has disconnected', async () => {
    let looks = 0
    const isGone = () => {
      looks += 1
      return looks > 100
    }
    await expect(createPlaygroundWithFlags(2000).advanced(request(10), { ...there, isGone })).rejects.toThrow(
      CallerGone,
    )
    expect(looks).toBe(101)
  })

  test('comes after another one, which may fail; a small one waits for none', async () => {
    const playground = createPlaygroundWithFlags(2000, 3_000_000)
    const order: string[] = []
    const told = (name: string, answer: Promise<unknown>) =>
      answer.then(
        () => order.push(name),
        () => order.push(`${name} fails`),
      )
    await Promise.all([
      told('large', playground.advanced(request(10), there)),
      told('next', playground.advanced({ ...request(2), environments: ['nowhere'] }, there)),
      told('small', playground.advanced({ ...request(), projects: ['other'] }, there)),
    ])
    expect(order).toEqual(['small', 'large fails', 'next'])
  })

  test('builds a response alone if its context is huge, however few results it has', async () => {
    const playground = createPlaygroundWithFlags(20)
    const context = { appName: 'a', properties: { text: 'x'.repeat(100_000) } }
    const built: string[] = []
    const ask = (name: string) =>
      playground.advanced({ ...request(), context }, { ...there, isGone: () => built.push(name) === 0 })
    await Promise.all([ask('first'), ask('second')])
    expect(built).toEqual(built.toSorted())
    expect(new Set(built)).toEqual(new Set(['first', 'second']))
  })

  test('pauses for other work', async () => {
    let turns = 0
    const counting = setInterval(() => (turns += 1), 0)
    await createPlaygroundWithFlags(2000).advanced(request(10), there)
    clearInterval(counting)
    expect(turns).toBeGreaterThan(5)
  })
})

test('the memory of an answer serves another one only when it was given back', async () => {
  const playground = createPlaygroundWithFlags(3)
  const ask = (userId: string) => playground.advanced({ ...request(), context: { appName: 'a', userId } }, there)
  const userOf = (bytes: Buffer) => JSON.parse(bytes.toString()).features[2].environments.development[0].context.userId
  const [first, second] = [await ask('first'), await ask('second')]
  expect([first, second].map((content) => userOf(content.bytes()))).toEqual(['first', 'second'])
  const loan = first.lend?.()
  loan?.release()
  const third = await ask('third')
  expect(third.bytes().buffer).toBe(loan?.bytes.buffer)
  expect([second, third].map((content) => userOf(content.bytes()))).toEqual(['second', 'third'])
})

test('an engine is made once for the same state of the flags', async () => {
  const engines = createExplainEngines({ clock: () => 0, random: () => new Uint8Array(4) })
  const table = new FlagTable([createFlag('one')], [])
  const moment = { table, state: '', version: 1 }
  const first = await engines.getEngine('development', moment)
  expect(await engines.getEngine('development', moment)).toBe(first)
  expect(await engines.getEngine('development', { ...moment, version: 2 })).not.toBe(first)
  expect((await engines.getEngine('nowhere', moment)).names).toEqual([])
})
