import type { Loan } from '@burgee/kit/http/content'
import { describe, expect, test } from 'vitest'
import { Arena, type ByteRange } from './arena.ts'
import { getEnvelopedLength, TOGGLES_ENVELOPE } from './json-envelope.ts'

/** Assembles a response from pieces. `spans` contains their starts and ends from entry 1 on. */
function lend(arena: Arena, places: readonly ByteRange[]): Loan {
  const spans = Uint32Array.from([0, ...places.flatMap(({ start, end }) => [start, end])])
  const bytes = places.reduce((sum, { start, end }) => sum + end - start, 0)
  return arena.lend(spans, spans.length, getEnvelopedLength(TOGGLES_ENVELOPE, bytes))
}

/** Adds pieces of this size, each filled with its own letter. */
const piecesOf = (arena: Arena, count: number, bytes: number) =>
  Array.from({ length: count }, (_, index) => arena.add(`,${letter(index).repeat(bytes - 1)}`))
const letter = (index: number) => String.fromCharCode(97 + (index % 26))
const text = (index: number, bytes: number) => `{"toggles":[${letter(index).repeat(bytes - 1)}]}`
const MEBIBYTE = 1024 * 1024

describe('replies', () => {
  test.each([
    [[], '{"toggles":[]}'],
    [[0], '{"toggles":[aa]}'],
    [[2, 0, 0], '{"toggles":[cc,aa,aa]}'],
  ])('consist of the pieces %j: %s', (indexes, expected) => {
    const arena = new Arena()
    const pieces = piecesOf(arena, 3, 3)
    const chosen = indexes.map((index) => pieces[index] as ByteRange)
    expect(lend(arena, chosen).bytes.toString()).toBe(expected)
    const spans = Uint32Array.from([0, ...chosen.flatMap(({ start, end }) => [start, end])])
    expect(arena.copy(spans, spans.length, expected.length).toString()).toBe(expected)
  })
})

describe('lent memory', () => {
  test('stays unchanged while lent, and is reused afterwards', () => {
    const arena = new Arena()
    const pieces = piecesOf(arena, 20, 3000)
    const loans = pieces.map((piece) => lend(arena, [piece]))
    const shown = () => loans.map(({ bytes }) => bytes.toString())
    expect(shown()).toEqual(pieces.map((_, index) => text(index, 3000)))
    const given = loans.pop()
    const start = given?.surroundings?.start
    given?.release()
    const next = lend(arena, [pieces[0] as ByteRange])
    expect([next.surroundings?.start, next.surroundings?.memory]).toEqual([start, given?.surroundings?.memory])
    expect(shown()).toEqual(pieces.slice(1).map((_, index) => text(index, 3000)))
  })

  test('has headroom for the head, and fits replies of any length', () => {
    const arena = new Arena()
    for (let bytes = 2000; bytes < 9000; bytes += 20) {
      const loans = piecesOf(arena, 3, bytes).map((piece) => lend(arena, [piece]))
      for (const { surroundings: one } of loans) one?.memory.fill('!', one.start - one.headroomBytes, one.start)
      expect(loans.map((loan) => loan.bytes.toString())).toEqual([0, 1, 2].map((index) => text(index, bytes)))
      for (const loan of loans) loan.release()
    }
  })

  test('stays as it is when the data grow past it, and when a reply is larger than all before', () => {
    const arena = new Arena()
    const [first] = piecesOf(arena, 1, 1000)
    const loan = lend(arena, [first as ByteRange])
    const before = loan.surroundings?.memory
    const large = piecesOf(arena, 26, 100_000)
    const larger = lend(arena, large)
    expect(larger.bytes.length).toBe(2_600_013)
    expect(larger.surroundings?.memory).not.toBe(before)
    expect(loan.bytes.toString()).toBe(text(0, 1000))
    loan.release()
    expect(lend(arena, [first as ByteRange]).surroundings?.memory).toBe(larger.surroundings?.memory)
    expect(larger.bytes.subarray(12, 20).toString()).toBe('aaaaaaaa')
  })

  test.each([
    [1_000, 4096],
    [300_000, 32],
    [6 * MEBIBYTE, 2],
    [40 * MEBIBYTE, 1],
  ])('fits replies of %i bytes %i times; further replies use separate memory', (bytes, most) => {
    const arena = new Arena()
    const [piece] = piecesOf(arena, 1, bytes)
    // each memory except the last had half as many slots as the next memory
    const loans = Array.from({ length: 2 * most + 1 }, () => lend(arena, [piece as ByteRange]))
    const inside = loans.map(({ surroundings }) => surroundings?.memory).filter((memory) => memory !== undefined)
    expect(inside.filter((memory) => memory === inside.at(-1)).length).toBe(most)
    expect(inside.length).toBeLessThan(loans.length)
    expect(arena.lendable).toBeLessThanOrEqual(Math.max(16 * MEBIBYTE, 1.25 * bytes + 8192))
    for (const { bytes: shown } of loans) expect(shown.equals(Buffer.from(text(0, bytes)))).toBe(true)
    for (const loan of loans) loan.release()
    expect(lend(arena, [piece as ByteRange]).surroundings?.memory).toBe(inside.at(-1))
  })
})

describe('data', () => {
  const memoryOf = (arena: Arena, piece: ByteRange) => {
    const loan = lend(arena, [piece])
    loan.release()
    return loan.surroundings?.memory
  }

  test('takes little more memory than its own size', () => {
    const arena = new Arena()
    for (let round = 0; round < 40; round++) {
      const [piece] = piecesOf(arena, 26, 10_000)
      const spare = (memoryOf(arena, piece as ByteRange)?.length ?? 0) - arena.used - arena.lendable
      expect(spare).toBeLessThan(Math.max(2 * MEBIBYTE, 0.26 * arena.used + MEBIBYTE / 4))
    }
    expect(arena.used).toBeGreaterThan(10_000_000)
  })

  test('fits without further memory if its size was expected', () => {
    const arena = new Arena(3_000_000)
    const [first] = piecesOf(arena, 1, 1000)
    const before = memoryOf(arena, first as ByteRange)
    piecesOf(arena, 29, 100_000)
    expect(memoryOf(arena, first as ByteRange) === before).toBe(true)
  })
})
