import { compile } from '@burgee/engine'
import { expect, test } from 'vitest'
import { Fragments } from './fragments.ts'

const features = (changing: string) => [
  ...Array.from({ length: 200 }, (_, index) => ({ name: `flag-${index}`, enabled: true, strategies: [] })),
  { name: changing, enabled: true, strategies: [], variants: [{ name: 'x'.repeat(50_000), weight: 1 }] },
]
function bytesOf(fragments: Fragments, outcomes: Uint16Array) {
  const draft = fragments.draft(outcomes, true)
  return JSON.parse(fragments.copy(draft).toString()) as { toggles: { name: string }[] }
}

test('flags that stay the same keep their bytes; what only engines before had does not pile up', () => {
  let { engine } = compile({ features: features('changing-0') })
  let fragments = new Fragments(engine)
  const used: number[] = []
  for (let round = 1; round <= 100; round++) {
    engine = compile({ features: features(`changing-${round}`) }, {}, engine).engine
    const before = fragments.usedBytes
    fragments = new Fragments(engine, fragments)
    const { toggles } = bytesOf(fragments, engine.decideAll({ userId: 'u' }))
    expect(toggles.map(({ name }) => name)).toEqual(engine.names)
    used.push(fragments.usedBytes)
    if (round > 1 && fragments.usedBytes > before) expect(fragments.usedBytes - before).toBeLessThan(51_000)
  }
  expect(Math.max(...used)).toBeLessThan(1_500_000)
})

test('flags may come, go and change places', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, enabled: true, strategies: [] }))
  let { engine } = compile({ features: [a, b] })
  let fragments = new Fragments(engine)
  bytesOf(fragments, engine.decideAll({}))
  for (const list of [[b, a], [c, b], [], [a, b, c]]) {
    engine = compile({ features: list }, {}, engine).engine
    fragments = new Fragments(engine, fragments)
    const { toggles } = bytesOf(fragments, engine.decideAll({}))
    expect(toggles.map(({ name }) => name)).toEqual(list.map((one) => one?.name))
  }
})

test('neighbours that are on together are one copy', () => {
  const flags = Array.from({ length: 9 }, (_, index) => ({ name: `flag-${index}`, enabled: true, strategies: [] }))
  const fragments = new Fragments(compile({ features: flags }).engine)
  const runsOf = (outcomes: number[]) => {
    const { runs, count } = fragments.draft(Uint16Array.from(outcomes), false)
    return runs.slice(1, count).length / 2
  }
  expect(runsOf([1, 1, 1, 1, 1, 1, 1, 1, 1])).toBe(1)
  expect(runsOf([1, 1, 1, 0, 0, 1, 1, 0, 1])).toBe(3)
  expect(runsOf([0, 0, 0, 0, 0, 0, 0, 0, 0])).toBe(0)
})

test('whichever flags are on, and whatever was on before: their bytes in order', () => {
  const flags = Array.from({ length: 9 }, (_, index) => ({
    name: `flag-${index}`,
    enabled: true,
    strategies: [{ name: 'userWithId', parameters: { userIds: 'u' } }],
  }))
  const { engine } = compile({ features: flags })
  const fragments = new Fragments(engine)
  for (let round = 0; round < 2; round++) {
    for (let bits = 0; bits < 512; bits += 1) {
      const outcomes = Uint16Array.from(flags, (_, index) => (((bits * 31) % 512) >> index) & 1)
      const { toggles } = JSON.parse(fragments.lend(fragments.draft(outcomes, false)).bytes.toString())
      const names = toggles.map(({ name }: { name: string }) => name)
      expect(names).toEqual(engine.names.filter((_, index) => outcomes[index] === 1))
    }
  }
  expect(fragments.usedBytes).toBeLessThan(10_000)
})
