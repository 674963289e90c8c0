import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

function queueOf(max: number, ...items: string[]): FairQueue<string> {
  const queue = new FairQueue<string>({ max })
  for (const item of items) queue.add(item.charAt(0), item, item)
  return queue
}

test('takes one item of each group in turn, across batches', () => {
  const queue = queueOf(100, 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1')
  expect([...queue.take(2).keys()]).toEqual(['a1', 'b1'])
  expect([...queue.take(3).keys()]).toEqual(['c1', 'a2', 'b2'])
  queue.add('d', 'd1', 'd1')
  expect([...queue.take(10).keys()]).toEqual(['a3', 'd1', 'a4'])
  expect(queue.size).toBe(0)
})

test.each([
  ['the largest group', ['a1', 'a2', 'a3', 'b1'], 'c1', 'a3'],
  ['the group that fills it', ['a1', 'b1', 'b2', 'c1'], 'b3', 'b3'],
  ['the last one of equals', ['a1', 'b1', 'c1', 'd1'], 'e1', 'e1'],
])('when full, the newest item of %s makes room', (_name, items, more, evicted) => {
  const queue = queueOf(4, ...items)
  expect(queue.add(more.charAt(0), more, more)).toBe(evicted)
  expect([queue.size, queue.get(evicted)]).toEqual([4, undefined])
})

test('knows its items and the size of each group, and gives all of them back', () => {
  const queue = queueOf(4, 'a1', 'a2', 'b1')
  expect([queue.get('a2'), queue.getGroupSize('a'), queue.getGroupSize('z')]).toEqual(['a2', 2, 0])
  expect(queue.clear()).toEqual(['a1', 'a2', 'b1'])
  expect([queue.size, queue.getGroupSize('a'), queue.take(1).size]).toEqual([0, 0, 0])
})
