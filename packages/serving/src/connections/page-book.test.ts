import type { Caller } from '@burgee/kit/http/route'
import { expect, test } from 'vitest'
import { PageBook } from './page-book.ts'

const SCOPE = { environment: 'production', projects: ['default'] }
const page = (number: number): Caller => ({
  method: 'GET',
  url: '/api/frontend',
  headers: { 'unleash-connection-id': crypto.randomUUID().slice(0, 24) + number.toString(16).padStart(12, '0') },
  params: {},
  remoteAddress: '10.0.0.1',
  id: 'r',
})

test.each([10, 100, 1000, 20_000])('estimates %s pages to 10 %%', (count) => {
  const book = new PageBook(() => 0)
  const pages = Array.from({ length: count }, (_, number) => page(number))
  for (const one of [...pages, ...pages]) book.record(SCOPE, one, { epoch: 'e', id: 1 })
  const { seen, held } = book.count(() => true, { epoch: 'e', id: 1 })
  expect(Math.abs(seen - count)).toBeLessThanOrEqual(Math.max(1, count * 0.1))
  expect(held).toBe(seen)
})

test('counts the pages that have asked since a revision is in use, within two minutes', () => {
  const time = { now: 0 }
  const book = new PageBook(() => time.now)
  const pages = Array.from({ length: 100 }, (_, number) => page(number))
  for (const one of pages) book.record(SCOPE, one, { epoch: 'e', id: 1 })
  time.now += 20_000
  for (const one of pages.slice(0, 50)) book.record(SCOPE, one, { epoch: 'e', id: 2 })
  const { seen, held } = book.count(() => true, { epoch: 'e', id: 2 })
  expect(Math.abs(seen - 100)).toBeLessThanOrEqual(8)
  expect(Math.abs(held - 50)).toBeLessThanOrEqual(5)
  time.now += 120_001
  expect(book.count(() => true, { epoch: 'e', id: 2 })).toEqual({ seen: 0, held: 0 })
})

test('lists each page with the newest revision that it has requested', () => {
  const time = { now: 0 }
  const book = new PageBook(() => time.now)
  const pages = Array.from({ length: 100 }, (_, number) => page(number))
  for (const one of pages) book.record(SCOPE, one, { epoch: 'e', id: 1 })
  time.now += 20_000
  for (const one of pages.slice(0, 40)) book.record(SCOPE, one, { epoch: 'e', id: 2 })
  const groups = book.listGroups()
  expect(groups).toMatchObject([
    { scope: SCOPE, revision: { epoch: 'e', id: 2 } },
    { scope: SCOPE, revision: { epoch: 'e', id: 1 } },
  ])
  const [newer = 0, older = 0] = groups.map((group) => group.pages)
  expect(Math.abs(newer - 40)).toBeLessThanOrEqual(5)
  expect(Math.abs(older - 60)).toBeLessThanOrEqual(8)
  time.now += 120_001
  expect(book.listGroups()).toEqual([])
})
