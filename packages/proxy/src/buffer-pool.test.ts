import { expect, test } from 'vitest'
import { BufferPool } from './buffer-pool.ts'

test.each([
  [1, 4096],
  [4096, 4096],
  [4097, 8192],
  [1_000_000, 1_048_576],
])('%i bytes are taken as %i', (bytes, size) => expect(new BufferPool().take(bytes).length).toBe(size))

test('what is given back is used again, the last one first; what is still out is not', () => {
  const pool = new BufferPool()
  const [a, b, c] = [pool.take(5000), pool.take(5000), pool.take(5000)]
  expect(new Set([a, b, c]).size).toBe(3)
  pool.giveBack(a)
  pool.giveBack(b)
  expect([pool.take(6000), pool.take(8192), pool.heldBytes]).toEqual([b, a, 0])
  expect(pool.take(5000)).not.toBe(c)
})

test('holds no more than its bound', () => {
  const pool = new BufferPool()
  for (const buffer of Array.from({ length: 40 }, () => pool.take(1_000_000))) pool.giveBack(buffer)
  expect(pool.heldBytes).toBe(16 * 1_048_576)
})
