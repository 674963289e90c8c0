import { hashText } from '@burgee/serving/document/revision-tag'
import { expect, test } from 'vitest'
import { UpstreamNumbers } from './upstream-numbers.ts'

const at = (id: number, epoch = 'own') => ({ id, epoch })

test('maps a revision to the lowest upstream revision that it was merged from', () => {
  const numbers = new UpstreamNumbers()
  numbers.add(at(1), [7, 5])
  expect(numbers.find(at(1))).toBe(5)
  expect(numbers.find(at(2))).toBeUndefined()
  expect(numbers.find(at(1, 'other'))).toBeUndefined()
})

test('maps a revision as worker processes name it', () => {
  const numbers = new UpstreamNumbers()
  numbers.add(at(1), [7])
  expect(numbers.find(at(1, hashText('own')))).toBe(7)
})

test('maps nothing while an upstream revision is unknown', () => {
  const numbers = new UpstreamNumbers()
  numbers.add(at(1), [7, undefined])
  numbers.add(at(2), [])
  expect([numbers.find(at(1)), numbers.find(at(2))]).toEqual([undefined, undefined])
})

test('forgets the oldest revisions', () => {
  const numbers = new UpstreamNumbers()
  for (let id = 1; id <= 1000; id += 1) numbers.add(at(id), [id])
  expect([numbers.find(at(1)), numbers.find(at(1000))]).toEqual([undefined, 1000])
})
