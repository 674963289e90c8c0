import type { Database, Reader, Tx } from '@burgee/storage/database'
import { defineStatement, type Placeholders } from '@burgee/storage/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DRIVERS, type Place } from '../drivers.ts'

interface Named {
  readonly names: readonly string[]
}

describe.each(DRIVERS)('a statement that is made once, on $name', (driver) => {
  let place: Place
  let db: Database

  beforeAll(async () => {
    place = await driver.place()
    db = await place.open()
  })
  afterAll(async () => {
    await db.close()
    await place.remove()
  })

  /** Returns a statement that records how often it is built for each combination of list lengths. */
  function settings() {
    const made: number[] = []
    const read = defineStatement(
      (reader, at: Placeholders<Named>, names: number) => {
        made.push(names)
        return reader
          .selectFrom('settings')
          .select(['name', 'value'])
          .where('name', 'in', at.each('names', names))
          .orderBy('name')
      },
      ({ names }) => [names.length],
    )
    return {
      made,
      read: async (reader: Reader, names: string[]) => (await read(reader, { names })).map((row) => row.name),
    }
  }
  const insert = defineStatement((tx: Tx, at: Placeholders<{ name: string; value: string }>) =>
    tx.insertInto('settings').values({ name: at('name'), value: at('value') }),
  )
  const put = (name: string) => db.write((tx) => insert(tx, { name, value: `of ${name}` }))

  test('gets compiled once per length of its lists, and has other values each time', async () => {
    for (const name of ['a', 'b', 'c']) await put(name)
    const { made, read } = settings()
    expect(await read(db.reader, ['a'])).toEqual(['a'])
    expect(await read(db.reader, ['c'])).toEqual(['c'])
    expect(await read(db.reader, ['a', 'c'])).toEqual(['a', 'c'])
    expect(await read(db.reader, ['b', 'none'])).toEqual(['b'])
    expect(made).toEqual([1, 2])
  })

  test('has its own values in concurrent calls', async () => {
    const { read } = settings()
    const seen = await db.view((reader) => Promise.all(['a', 'b', 'c'].map((name) => read(reader, [name]))))
    expect(seen).toEqual([['a'], ['b'], ['c']])
  })

  test('gets compiled each time with a long list, and is not cached', async () => {
    const { made, read } = settings()
    const long = ['b', ...Array.from({ length: 40 }, (_, index) => `none-${index}`)]
    for (let time = 0; time < 2; time += 1) expect(await read(db.reader, long)).toEqual(['b'])
    expect(made).toEqual([41, 41])
  })

  test('runs in the transaction that it is given', async () => {
    const { read } = settings()
    const undone = db.write(async (tx) => {
      await insert(tx, { name: 'undone', value: 'x' })
      expect(await read(tx, ['undone'])).toEqual(['undone'])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await read(db.reader, ['undone'])).toEqual([])
  })

  test.each(['a\0b', '\ud800'])('refuses what no database can hold: %j', async (value) => {
    await expect(db.write((tx) => insert(tx, { name: 'refused', value }))).rejects.toThrow('A string contains')
  })

  test.each(["'; drop table settings; --", '%', '$1', '?', '"', '\\'])('takes values as values: %j', async (name) => {
    await put(name)
    expect(await settings().read(db.reader, [name])).toEqual([name])
  })
})
