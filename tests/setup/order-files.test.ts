import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { orderFiles } from './order-files.ts'
import listedSeconds from './slow-files.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '..', '..')
const file = (name: string, seconds: number, hasBrowser = false) => ({ name, seconds, hasBrowser })
const order = (files: readonly ReturnType<typeof file>[], workers: number) =>
  orderFiles(files, workers).map(({ name }) => name)

test('the slowest files start first', () => {
  expect(order([file('a', 1), file('b', 30), file('c', 2)], 2)).toEqual(['b', 'c', 'a'])
})

test('at most two files with a browser start beside each other while other files wait', () => {
  const files = [
    ...['b1', 'b2', 'b3'].map((name) => file(name, 100, true)),
    ...['o1', 'o2', 'o3', 'o4'].map((name) => file(name, 60)),
  ]
  expect(order(files, 4)).toEqual(['b1', 'b2', 'o1', 'o2', 'o3', 'o4', 'b3'])
})

test('every file runs, also if only files with a browser are left', () => {
  const files = Array.from({ length: 9 }, (_, index) => file(`b${index}`, index, true))
  expect(order(files, 3).toSorted()).toEqual(files.map(({ name }) => name))
})

test('the list of slow files names existing files', () => {
  expect(Object.keys(listedSeconds).filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
