import { describe, expect, test } from 'vitest'
import { CopyMemory, type MakePages, RESERVED_BYTES } from './wasm-copy-loop.ts'

const SOURCE_BYTES = 10_000
const TARGET = RESERVED_BYTES + SOURCE_BYTES

/** Creates spans of every length from 0 to 130, from anywhere in the source. */
function spansOf(count: number): [start: number, end: number][] {
  return Array.from({ length: count }, (_, index) => {
    const start = RESERVED_BYTES + ((index * 7919) % (SOURCE_BYTES - 130))
    return [start, start + (index % 131)]
  })
}

/** Fails like the platform when it is out of address space. */
const withoutRoom: MakePages = () => {
  throw new RangeError('WebAssembly.Memory(): could not allocate memory')
}

describe.each<[string, MakePages | undefined]>([
  ['in memory of the platform’s WebAssembly', undefined],
  ['where there is no room for that', withoutRoom],
])('%s', (_name, make) => {
  test.each([0, 1, 2, 131, 1023, 1024, 1025, 5000])('%i spans lie one behind the other', (count) => {
    const memory = new CopyMemory(TARGET + 130 * count + 8, make)
    for (let at = RESERVED_BYTES; at < TARGET; at++) memory.bytes[at] = (at * 31) % 251
    const source = Buffer.from(memory.bytes)
    const spans = spansOf(count)
    const expected = Buffer.concat(spans.map(([start, end]) => source.subarray(start, end)))
    const end = memory.copySpans(Uint32Array.from([7, ...spans.flat(), 1, 2]), 1 + 2 * count, TARGET)
    expect(end).toBe(TARGET + expected.length)
    expect(memory.bytes.subarray(TARGET, end).equals(expected)).toBe(true)
    expect(memory.bytes.subarray(end, end + 8).equals(Buffer.alloc(8))).toBe(true)
    expect(memory.bytes.subarray(RESERVED_BYTES, TARGET).equals(source.subarray(RESERVED_BYTES, TARGET))).toBe(true)
  })

  test('has at least the requested size', () => {
    for (const bytes of [1, 65_536, 65_537, 1_000_000]) {
      expect(new CopyMemory(bytes, make).bytes.length).toBeGreaterThanOrEqual(Math.max(bytes, RESERVED_BYTES))
    }
  })
})

test('another failure than a lack of room is none to live with', () => {
  const broken: MakePages = () => {
    throw new TypeError('pages')
  }
  expect(() => new CopyMemory(1, broken)).toThrow('pages')
})
