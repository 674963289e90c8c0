import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { StatementCache } from './statement-cache.ts'

let prepared: string[]
let cache: StatementCache
beforeEach(() => {
  const database = new DatabaseSync(':memory:')
  database.exec('create table t (a integer)')
  prepared = []
  const counting = {
    prepare: (sql: string) => {
      prepared.push(sql)
      return database.prepare(sql)
    },
  }
  cache = new StatementCache(counting as unknown as DatabaseSync)
})

const listOf = (length: number) => `select a from t where a in (${Array(length).fill('?').join(', ')})`
const run = (length: number) => cache.prepare(listOf(length)).statement.all(...Array(length).fill(1))
const timesPrepared = (length: number) => prepared.filter((sql) => sql === listOf(length)).length

test('lists of 2,000 lengths never hold more than 131,072 characters', () => {
  let largest = 0
  for (let length = 1; length <= 2000; length += 1) {
    run(length)
    largest = Math.max(largest, cache.size.characters)
  }
  expect(largest).toBeLessThanOrEqual(131_072)
  expect(largest).toBeGreaterThan(120_000)
})

test('a statement in constant use stays prepared while 2,000 others pass', () => {
  for (let length = 2; length <= 2000; length += 1) {
    run(1)
    run(length)
  }
  expect([timesPrepared(1), timesPrepared(2000)]).toEqual([1, 1])
  run(2)
  expect(timesPrepared(2)).toBe(2)
})

test('short statements are cached up to 500', () => {
  for (let index = 0; index < 600; index += 1) cache.prepare(`select ${index}`).statement.all()
  expect(cache.size.statements).toBe(500)
})

test('a statement of more than 16,384 characters runs, and replaces no other', () => {
  run(1)
  const long = listOf(6000)
  expect(long.length).toBeGreaterThan(16_384)
  run(6000)
  run(6000)
  expect([cache.size.statements, timesPrepared(1), timesPrepared(6000)]).toEqual([1, 1, 2])
})

test('the memory of 500 statements is measured, and bounded by their characters', () => {
  expect(cache.bytes).toBe(0)
  run(1)
  const one = cache.bytes
  expect(one).toBeGreaterThan(0)
  for (let length = 2; length <= 2000; length += 1) run(length)
  expect(cache.bytes).toBeGreaterThan(one)
  expect(cache.bytes).toBeLessThanOrEqual(75 * cache.size.characters)
})

test('a change of the tables prepares all statements again', () => {
  cache.prepare('select * from t').statement.all()
  cache.prepare('alter table t add column b integer').statement.run()
  cache.prepare('select * from t').statement.all()
  expect(prepared.filter((sql) => sql === 'select * from t')).toHaveLength(2)
})
