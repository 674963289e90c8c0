import { compile, type Engine } from '@burgee/engine'
import { runSync } from '@burgee/kit/slices'
import { describe, expect, test } from 'vitest'
import { Fragments, toToggleOutcomes } from './fragments.ts'

const features = (changing: string) => [
  ...Array.from({ length: 200 }, (_, index) => ({ name: `flag-${index}`, enabled: true, strategies: [] })),
  { name: changing, enabled: true, strategies: [], variants: [{ name: 'x'.repeat(50_000), weight: 1 }] },
]
function bytesOf(fragments: Fragments, outcomes: Uint16Array) {
  const outline = fragments.outline(outcomes, true)
  return JSON.parse(fragments.copy(outline).toString()) as { toggles: { name: string }[] }
}

test('flags that stay the same keep their bytes; what only engines before had does not pile up', () => {
  let { engine } = compile({ features: features('changing-0') })
  let fragments = new Fragments(toToggleOutcomes(engine))
  const used: number[] = []
  for (let round = 1; round <= 100; round++) {
    engine = compile({ features: features(`changing-${round}`) }, {}, engine).engine
    const before = fragments.usedBytes
    fragments = runSync(Fragments.build(toToggleOutcomes(engine), fragments))
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
  let fragments = new Fragments(toToggleOutcomes(engine))
  bytesOf(fragments, engine.decideAll({}))
  for (const list of [[b, a], [c, b], [], [a, b, c]]) {
    engine = compile({ features: list }, {}, engine).engine
    fragments = runSync(Fragments.build(toToggleOutcomes(engine), fragments))
    const { toggles } = bytesOf(fragments, engine.decideAll({}))
    expect(toggles.map(({ name }) => name)).toEqual(list.map((one) => one?.name))
  }
})

test('neighbours that are on together are one copy', () => {
  const flags = Array.from({ length: 9 }, (_, index) => ({ name: `flag-${index}`, enabled: true, strategies: [] }))
  const fragments = new Fragments(toToggleOutcomes(compile({ features: flags }).engine))
  const runsOf = (outcomes: number[]) => {
    const { spans, count } = fragments.outline(Uint16Array.from(outcomes), false)
    return spans.slice(1, count).length / 2
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
  const fragments = new Fragments(toToggleOutcomes(engine))
  for (let round = 0; round < 2; round++) {
    for (let bits = 0; bits < 512; bits += 1) {
      const outcomes = Uint16Array.from(flags, (_, index) => (((bits * 31) % 512) >> index) & 1)
      const { toggles } = JSON.parse(fragments.lend(fragments.outline(outcomes, false)).bytes.toString())
      const names = toggles.map(({ name }: { name: string }) => name)
      expect(names).toEqual(engine.names.filter((_, index) => outcomes[index] === 1))
    }
  }
  expect(fragments.usedBytes).toBeLessThan(10_000)
})

describe('step by step', () => {
  const variant = (name: string, bytes: number) => ({
    name,
    weight: 500,
    stickiness: 'userId',
    payload: { type: 'string', value: 'x'.repeat(bytes) },
  })
  const half = (groupId: string) => ({
    name: 'flexibleRollout',
    parameters: { rollout: '50', stickiness: 'userId', groupId },
  })
  /**
   * Creates flags with and without variants. Flags for which `isNew(index)` returns true differ from those in the
   * default document.
   */
  const flagsOf = (count: number, isNew: (index: number) => boolean = () => false, payloadBytes = 100) =>
    Array.from({ length: count }, (_, index) => ({
      name: `flag-${index}`,
      enabled: true,
      strategies: [half(`g${index}`)],
      impressionData: isNew(index),
      variants: index % 3 === 0 ? [variant('a', payloadBytes), variant('b', payloadBytes)] : [],
    }))
  const USERS = Array.from({ length: 30 }, (_, index) => ({ userId: `user-${index}` }))

  const expected = (engine: Engine, outcomes: Uint16Array, withOff: boolean) =>
    engine.names.flatMap((name, index) => {
      const one = engine.getOutcomes(index)[outcomes[index] as number]
      return one?.enabled || withOff
        ? [{ name, on: one?.enabled, variant: one?.variant.name, impressionData: one?.impressionData }]
        : []
    })

  /** Returns the parsed response for a user. Gives the slot back before it returns. */
  const shown = (engine: Engine, fragments: Fragments, user: number, withOff: boolean) => {
    const outcomes = engine.decideAll(USERS[user % USERS.length] ?? {})
    const loan = fragments.lend(fragments.outline(outcomes, withOff))
    const { toggles } = JSON.parse(loan.bytes.toString()) as {
      toggles: { name: string; enabled: boolean; variant: { name: string }; impressionData: boolean }[]
    }
    loan.release()
    const read = toggles.map(({ name, enabled, variant: { name: of }, impressionData }) => ({
      name,
      on: enabled,
      variant: of,
      impressionData,
    }))
    return { read, wanted: expected(engine, outcomes, withOff) }
  }
  const expectRight = (engine: Engine, fragments: Fragments, user: number, withOff: boolean) => {
    const { read, wanted } = shown(engine, fragments, user, withOff)
    expect(read).toEqual(wanted)
  }

  test('preparation makes all fragments that are on; those that are off are made on demand', () => {
    const { engine } = compile({ features: flagsOf(500) })
    const fragments = new Fragments(toToggleOutcomes(engine))
    runSync(fragments.prepare(1e6))
    const { usedBytes } = fragments
    for (const user of USERS.keys()) expectRight(engine, fragments, user, false)
    expect(fragments.usedBytes).toBe(usedBytes)
    expectRight(engine, fragments, 0, true)
    expect(fragments.usedBytes).toBeGreaterThan(usedBytes)
  })

  test('preparation adds the bytes of what has changed and no others', () => {
    const before = compile({ features: flagsOf(500) }).engine
    const fragments = new Fragments(toToggleOutcomes(before))
    runSync(fragments.prepare(1e6))
    const { usedBytes } = fragments
    const one = new Fragments(toToggleOutcomes(compile({ features: flagsOf(500).slice(7, 8) }).engine))
    const empty = one.usedBytes
    runSync(one.prepare(1e6))
    const after = compile({ features: flagsOf(500, (index) => index === 7) }, {}, before).engine
    const next = runSync(Fragments.build(toToggleOutcomes(after), fragments))
    expect(next.usedBytes).toBe(usedBytes)
    runSync(next.prepare(1e6))
    // "true" is one byte shorter than "false"
    expect(next.usedBytes - usedBytes).toBe(one.usedBytes - empty - 1)
    for (const user of USERS.keys()) expectRight(after, next, user, false)
  })

  test.each([0, 5000, 20_000, 60_000])(
    'at most %i bytes are prepared, and a piece; the rest is made on demand',
    (most) => {
      const { engine } = compile({ features: flagsOf(300, undefined, 1000) })
      const fragments = new Fragments(toToggleOutcomes(engine))
      const empty = fragments.usedBytes
      runSync(fragments.prepare(most))
      const prepared = fragments.usedBytes - empty
      expect(prepared).toBeLessThan(most + 1300)
      expect(prepared).toBeGreaterThanOrEqual(most)
      for (const user of USERS.keys()) expectRight(engine, fragments, user, user % 2 === 0)
      // pieces created on demand count toward the limit as well
      const next = runSync(Fragments.build(toToggleOutcomes(engine), fragments))
      const { usedBytes } = next
      runSync(next.prepare(most))
      expect(next.usedBytes).toBe(usedBytes)
    },
  )

  describe.each([
    ['that are few', (index: number) => index % 50 === 0, 100],
    ['that are so many that the rest moves', (index: number) => index % 10 !== 0, 5000],
  ])('changes %s', (_what, isNew, payloadBytes) => {
    const [first, second] = [flagsOf(900, undefined, payloadBytes), flagsOf(900, isNew, payloadBytes)]
    const before = compile({ features: first }).engine
    const after = compile({ features: second }, {}, before).engine

    test('between any two steps the ones before answer as ever, whatever they have to make; so do the new ones then', () => {
      const old = new Fragments(toToggleOutcomes(before))
      for (const user of [0, 1, 2]) expectRight(before, old, user, false)
      runSync(old.prepare(1e9))
      let user = 0
      const between = <T>(steps: Generator<void, T>): T => {
        for (;;) {
          const { done, value } = steps.next()
          expectRight(before, old, user, user % 7 === 6)
          user += 1
          if (done) return value
        }
      }
      const next = between(Fragments.build(toToggleOutcomes(after), old))
      between(next.prepare(1e9))
      expect(user).toBeGreaterThan(20)
      for (const at of USERS.keys()) {
        expectRight(after, next, at, at % 2 === 0)
        expectRight(before, old, at, at % 2 === 0)
      }
    })

    test('given up after any step: those before go on, and others can follow them', () => {
      const old = new Fragments(toToggleOutcomes(before))
      runSync(old.prepare(1e9))
      const { usedBytes } = old
      for (let given = 1; given <= 40; given += 3) {
        const steps = buildAndPrepare(after, old)
        for (let step = 0; step < given; step++) steps.next()
        steps.return(undefined as never)
        expectRight(before, old, given, true)
      }
      const next = runSync(buildAndPrepare(after, old))
      for (const at of USERS.keys()) expectRight(after, next, at, at % 2 === 0)
      // the next move discards unused pieces, so they never exceed the used pieces plus a mebibyte
      expect(next.usedBytes).toBeLessThan(3 * usedBytes + 1024 * 1024)
    })
  })

  function* buildAndPrepare(engine: Engine, previous: Fragments): Generator<void, Fragments> {
    const fragments = yield* Fragments.build(toToggleOutcomes(engine), previous)
    yield* fragments.prepare(1e9)
    return fragments
  }

  test('no step does much', () => {
    const before = compile({ features: flagsOf(5000) }).engine
    const after = compile({ features: flagsOf(5000, (index) => index % 2 === 0) }, {}, before).engine
    const old = new Fragments(toToggleOutcomes(before))
    runSync(old.prepare(1e9))
    let looks = 0
    const counted: Pick<Engine, 'names' | 'indexOf' | 'getOutcomes'> = {
      names: after.names,
      indexOf: (name) => after.indexOf(name),
      getOutcomes: (index) => {
        looks += 1
        return after.getOutcomes(index)
      },
    }
    const most = { looks: 0, bytes: 0 }
    const steps = buildAndPrepare(counted as Engine, old)
    for (let used = old.usedBytes, done = false; !done; used = old.usedBytes) {
      looks = 0
      done = steps.next().done === true
      most.looks = Math.max(most.looks, looks)
      most.bytes = Math.max(most.bytes, old.usedBytes - used)
    }
    expect(most.looks).toBeLessThanOrEqual(250)
    expect(most.bytes).toBeGreaterThan(0)
    expect(most.bytes).toBeLessThan(50 * 500)
  })
})
