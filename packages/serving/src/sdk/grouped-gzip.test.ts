import { crc32, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { joinRuns, type TextRun } from '../document/view.ts'
import { type GroupedGzip, gzipInGroups } from './grouped-gzip.ts'
import { joinCrc32 } from './joined-crc.ts'

const flag = (index: number, more = '') =>
  JSON.stringify({
    name: `flag-${String(index).padStart(5, '0')}`,
    text: `Ä flag ${(index * 7919) % 1000}${more}`.repeat(8),
  })
const texts = (count: number) => Array.from({ length: count }, (_, index) => flag(index))
const runs = (flags: readonly string[], tail = '"meta":1'): TextRun[] => [
  { lead: '{"features":[', texts: flags },
  { lead: '],"segments":[', texts: [] },
  { lead: `],${tail}}`, texts: [] },
]
const zip = async (of: readonly TextRun[], before?: GroupedGzip) => {
  const made = await gzipInGroups(of, before)
  const text = gunzipSync(made.body).toString()
  expect(text).toBe(joinRuns(of))
  expect(made.plainBytes).toBe(Buffer.byteLength(text))
  return made
}
/** Counts the groups of a body that were not reused from the previous body. */
const fresh = (made: GroupedGzip, before: GroupedGzip) => {
  const crcs = new Set(before.groups.map(({ crc }) => crc))
  return made.groups.filter(({ crc }) => !crcs.has(crc)).length
}
const changed = (flags: readonly string[], at: number) => flags.with(at, flag(at, ' changed'))

describe('a body is what it would be in one piece', () => {
  it.each([0, 1, 2, 300, 2000])('%i flags', async (count) => {
    const made = await zip(runs(texts(count)))
    const whole = gzipSync(joinRuns(runs(texts(count))))
    expect(made.body.length).toBeLessThan(whole.length * 1.3 + 100)
  })
})

const MANY = texts(4000)
describe('groups compressed again after a change', () => {
  // the tail changes with every revision
  it.each([
    ['nothing', MANY, 0],
    ['a flag', changed(MANY, 1234), 1],
    ['the first flag', changed(MANY, 0), 1],
    ['the last flag', changed(MANY, 3999), 1],
    ['flags far from each other', changed(changed(MANY, 10), 3500), 2],
    ['a flag comes', MANY.toSpliced(2000, 0, flag(99_999)), 1],
    ['a flag goes', MANY.toSpliced(1777, 1), 1],
    ['the first flag goes', MANY.slice(1), 1],
  ])('%s', async (_what, next, groups) => {
    const before = await zip(runs(MANY))
    expect(before.groups.length).toBeGreaterThan(6)
    const made = gzipInGroups(runs(next, '"meta":2'), before)
    expect(made, 'a few groups are compressed at once').not.toBeInstanceOf(Promise)
    await zip(runs(next, '"meta":2'), before)
    expect(fresh(await made, before)).toBe(groups + 1)
  })

  it('many groups are compressed off the event loop', () => {
    expect(gzipInGroups(runs(MANY), undefined)).toBeInstanceOf(Promise)
  })
})

it('after any changes one after the other the groups stay few and the text is right', async () => {
  let seed = 20260101
  const pick = (most: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return Math.floor((seed / 0x8000_0000) * most)
  }
  let flags = texts(1500)
  let made = await zip(runs(flags))
  const few = made.groups.length
  for (let step = 0; step < 400; step += 1) {
    const at = pick(flags.length)
    const what = pick(4)
    if (what === 0) flags = flags.toSpliced(at, 0, flag(10_000 + step))
    else if (what === 1) flags = flags.toSpliced(at, 1 + pick(30))
    else if (what === 2)
      flags = flags.toSpliced(at, 0, ...Array.from({ length: pick(30) }, (_, index) => flag(step * 100 + index)))
    else flags = changed(flags, at)
    const before = made
    made = await zip(runs(flags, `"meta":${step}`), before)
    expect(fresh(made, before)).toBeLessThanOrEqual(4)
  }
  expect(made.groups.length).toBeLessThanOrEqual(few * 3)
})

it('checksums are joined as if the texts were one', () => {
  for (const [one, other] of [
    ['', ''],
    ['a', ''],
    ['', 'b'],
    ['123', '456789'],
    ['x'.repeat(70_000), 'ü'.repeat(131_073)],
  ]) {
    const [first, second] = [Buffer.from(one ?? ''), Buffer.from(other ?? '')]
    expect(joinCrc32(crc32(first), crc32(second), second.length)).toBe(crc32(Buffer.concat([first, second])))
  }
})
