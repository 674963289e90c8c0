import { expect, test } from 'vitest'
import { HEADROOM_BYTES, SlotLoan, SlotMemory } from './slot-memory.ts'

/** Creates memory with 100 bytes of data, three slots of 4096 bytes and the scratch slot. */
const memory = () => new SlotMemory(100, 4096, 3)

test('slots lie behind the data, none over another', () => {
  const one = memory()
  expect([one.take(), one.take(), one.take(), one.take()]).toEqual([100, 4196, 8292, undefined])
  expect(one.scratch).toBe(12_388)
  expect(one.bytes.length).toBeGreaterThanOrEqual(12_388 + 4096)
})

test('returned slots are reused, the last one first; slots in use are not', () => {
  const one = memory()
  const [a, b, c] = [one.take(), one.take(), one.take()]
  for (const slot of [a, b]) one.giveBack(slot ?? 0)
  expect([one.take(), one.take(), one.take()]).toEqual([b, a, undefined])
  one.giveBack(c ?? 0)
  expect(one.take()).toBe(c)
})

test('a loan shows its bytes and the room before them, and ends once', () => {
  const one = memory()
  const slot = one.take() ?? 0
  const loan = new SlotLoan(one, slot, 5)
  one.bytes.write('HTTP/', loan.start - 5)
  one.bytes.write('hello', loan.start)
  const { memory: whole, start, end, headroomBytes } = loan.surroundings
  expect([loan.bytes.toString(), start - headroomBytes, headroomBytes]).toEqual(['hello', slot, HEADROOM_BYTES])
  expect(whole.toString('latin1', start - 5, end)).toBe('HTTP/hello')
  loan.release()
  loan.release()
  expect([one.take(), one.take()]).toEqual([slot, slot + 4096])
})
