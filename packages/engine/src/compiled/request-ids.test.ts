import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { murmur3, ROLLOUT_SEED, startHash, VARIANT_SEED } from '../rules/hash.ts'
import { ContextFields, PlainRequest } from '../rules/request.ts'
import { CHANCE, USER, USER_OR_SESSION } from '../rules/stickiness.ts'
import { RequestIds } from './request-ids.ts'

const asItIs = (text: string) => text
const world = { clock: () => 0, random: () => 0.42 }
const requestOf = (userId: unknown) => new PlainRequest({ userId } as { userId: string }, new ContextFields(), world)

describe('ids', () => {
  test('hash as the whole text does, whatever the position, length and characters of the id', () => {
    const ids = new RequestIds([USER], asItIs)
    let epoch = 0
    const text = fc.string({ unit: 'binary', maxLength: 50 })
    const agree = (group: string, id: string, seed: number) => {
      epoch += 2
      ids.begin(epoch)
      const { state, tail, length } = startHash(group, seed)
      const prepared = ids.at(length & 3, requestOf(id))
      expect(prepared.isThere).toBe(id !== '')
      if (id !== '') expect(prepared.hash(state, tail, length) >>> 0).toBe(murmur3(group + id, seed))
    }
    fc.assert(fc.property(text, text, fc.constantFrom(ROLLOUT_SEED, VARIANT_SEED), agree), { numRuns: 5000 })
  })

  test('an id of several thousand characters', () => {
    const ids = new RequestIds([USER], asItIs)
    ids.begin(2)
    const id = '用x'.repeat(3000)
    for (const group of ['', 'a', 'ab', 'abc']) {
      const { state, tail, length } = startHash(group, ROLLOUT_SEED)
      const hash = ids.at(length & 3, requestOf(id)).hash(state, tail, length) >>> 0
      expect(hash).toBe(murmur3(group + id, ROLLOUT_SEED))
    }
  })

  test('an empty list is the empty text, and an id', () => {
    const ids = new RequestIds([USER], asItIs)
    ids.begin(2)
    const { state, tail, length } = startHash('ab:', ROLLOUT_SEED)
    const prepared = ids.at(3, requestOf([]))
    expect([prepared.isThere, prepared.hash(state, tail, length) >>> 0]).toEqual([true, murmur3('ab:', ROLLOUT_SEED)])
  })

  test('each request has its own id, each stickiness too', () => {
    const ids = new RequestIds([USER, USER_OR_SESSION, CHANCE], asItIs)
    const request = new PlainRequest({ sessionId: 's' }, new ContextFields(), world)
    ids.begin(2)
    expect([0, 4, 8].map((number) => ids.at(number, requestOf('u')).isThere)).toEqual([true, true, false])
    ids.begin(4)
    expect([0, 4, 8].map((number) => ids.at(number, request).isThere)).toEqual([false, true, false])
    expect([0, 4, 8].map((number) => ids.drawPercent(number, request))).toEqual([100, 42, 42])
  })
})
