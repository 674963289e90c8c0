import { compile, type Engine, type Evaluation } from '@burgee/engine'
import type { Coding } from '@burgee/kit/http/compression'
import type { Content, Loan } from '@burgee/kit/http/content'
import { runSync } from '@burgee/kit/slices'
import type { Context } from '@burgee/protocol/context'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Answers, type ListKind } from './answers.ts'
import { Fragments } from './fragments.ts'

afterEach(() => void vi.restoreAllMocks())

const KINDS: readonly ListKind[] = ['on', 'all']
const variant = (name: string, more: object = {}) => ({ name, weight: 500, stickiness: 'userId', ...more })
const payload = { type: 'json', value: '{"é":"✓"}' }
const half = { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'userId', groupId: 'g' } }
const FEATURES = [
  { name: 'plain', enabled: true, strategies: [] },
  { name: 'off', enabled: false, strategies: [], impressionData: true },
  { name: 'grüße ✓ "\\', enabled: true, strategies: [], impressionData: null },
  { name: '12', enabled: true, strategies: [half], impressionData: false },
  { name: 'own', enabled: true, strategies: [half], variants: [variant('a', { payload }), variant('b')] },
  {
    name: 'by strategy',
    enabled: true,
    strategies: [{ ...half, variants: [variant('s', { payload }), variant('t')] }],
  },
  { name: '__proto__', enabled: true, strategies: [] },
]
const USERS = Array.from({ length: 40 }, (_, index) => ({ userId: `user-${index}` }))

/** Returns the reference response: the JSON of one object per toggle. */
function expected(engine: Engine, kind: ListKind, context: Context): string {
  const items = engine.evaluateAll(context).filter(({ enabled }) => enabled || kind === 'all')
  return JSON.stringify({ toggles: items.map((one) => (one.enabled ? whole(one) : withoutOne(one))) })
}

function whole({ name, enabled, variant: given, variantSource, impressionData }: Evaluation) {
  const { payload: value, ...rest } = given
  const ordered =
    variantSource === 'feature' && value !== undefined ? { name: rest.name, payload: value, enabled: true } : given
  return { name, enabled, variant: { ...ordered, feature_enabled: enabled, featureEnabled: enabled }, impressionData }
}

function withoutOne({ name, variant: given, impressionData }: Evaluation) {
  return { name, enabled: false, variant: { ...given, feature_enabled: false }, impressionData }
}

/** Creates the answers of an engine, and counts their operations from then on. */
function counted(engine: Engine, cacheBytes?: number, previous?: Answers) {
  const decided = callsOf(vi.spyOn(engine, 'decideAll'))
  const [copied, lent] = [
    callsOf(vi.spyOn(Fragments.prototype, 'copy')),
    callsOf(vi.spyOn(Fragments.prototype, 'lend')),
  ]
  const work = () => ({ evaluated: engine.names.length * decided(), serialized: copied() + lent() })
  return { answers: runSync(Answers.build(engine, { cacheBytes }, previous)), work }
}

function callsOf({ mock }: { readonly mock: { readonly calls: readonly unknown[] } }): () => number {
  const before = mock.calls.length
  return () => mock.calls.length - before
}

describe('bytes', () => {
  const { engine } = compile({ features: FEATURES })

  test.each(KINDS)('%s: those of the JSON of the evaluations, again and again', (kind) => {
    const { answers } = counted(engine)
    for (const context of [...USERS, ...USERS, ...USERS]) {
      const { content } = answers.list(kind, context)
      const text = expected(engine, kind, context)
      expect(content.bytes().toString()).toBe(text)
      expect(content.length).toBe(Buffer.byteLength(text))
      expect(content.etag).toMatch(new RegExp(`^W/"${content.length.toString(16)}-[\\w+/]{27}"$`))
    }
  })

  test('describe an empty list', () => {
    const { answers } = counted(compile({ features: [] }).engine)
    expect(answers.list('all', {}).content.bytes().toString()).toBe('{"toggles":[]}')
    expect(counted(compile({ features: [FEATURES[1]] }).engine).answers.list('on', {}).content.length).toBe(14)
  })

  test('lists that are still unsent stay intact while others are built', () => {
    const { answers } = counted(engine)
    const waiting = USERS.map((context) => ({ context, content: answers.list('on', context).content }))
    for (const { context, content } of waiting) {
      expect(content.bytes().toString()).toBe(expected(engine, 'on', context))
    }
  })

  test.each(KINDS)('%s: lent buffers stay intact until they are returned', (kind) => {
    const { answers } = counted(engine, 0)
    const lent: { context: Context; loan: Loan }[] = []
    for (const context of [...USERS, ...USERS]) {
      const loan = (answers.list(kind, context).content as Required<Content>).lend()
      lent.push({ context, loan })
      if (lent.length > 30) lent.shift()?.loan.release()
      for (const one of lent) expect(one.loan.bytes.toString()).toBe(expected(engine, kind, one.context))
    }
  })

  test('cached bytes are never lent as writable', () => {
    const { answers } = counted(engine)
    const borrowed = Array.from({ length: 4 }, () => {
      const loan = (answers.list('on', { userId: 'user-1' }).content as Required<Content>).lend()
      loan.release()
      return loan
    })
    for (const context of USERS) (answers.list('on', context).content as Required<Content>).lend().release()
    expect(borrowed[3]?.surroundings).toBeUndefined()
    expect(borrowed[3]?.bytes.toString()).toBe(expected(engine, 'on', { userId: 'user-1' }))
  })

  test('survive a failing compressor, and its loan is returned', () => {
    const { answers, work } = counted(engine, 0)
    for (const context of USERS) {
      const { content } = answers.list('on', context)
      expect(() => content.encoded('unknown' as Coding)).toThrow(TypeError)
      expect(content.bytes().toString()).toBe(expected(engine, 'on', context))
    }
    const loan = (answers.list('on', {}).content as Required<Content>).lend()
    expect(loan.surroundings).toBeDefined()
    expect(work().serialized).toBe(USERS.length + 1)
  })

  test('describe the listed toggles', () => {
    const seen: string[] = []
    const { answers } = counted(engine)
    const names = ['own', 'nope', 'plain', 'own', '__proto__', 'constructor', 'off']
    const text = answers.listed(names, { userId: 'user-1' }, (name, isOn, isFlag) =>
      seen.push(`${name} ${isOn} ${isFlag}`),
    )
    const items = names.map((name) => {
      const one = engine.evaluate(name, { userId: 'user-1' })
      return { ...whole(one), impressionData: one.impressionData ?? false }
    })
    expect(text).toBe(JSON.stringify({ toggles: items }))
    const flags = new Set(['own', 'plain', 'off', '__proto__'])
    const isOn = (name: string) => engine.evaluate(name, { userId: 'user-1' }).enabled
    expect(seen).toEqual(names.map((name) => `${name} ${isOn(name)} ${flags.has(name)}`))
  })
})

describe('tags', () => {
  const { engine } = compile({ features: FEATURES })
  const user = USERS.find((context) => engine.evaluate('own', context).variant.name === 'a') ?? {}
  const tags = (one: Engine, previous?: Answers) =>
    KINDS.map((kind) => counted(one, 0, previous).answers.list(kind, user).content.etag)

  test('the same toggles have the same tag, in any engine', () => {
    const other = compile({ features: [...FEATURES, { name: 'new', enabled: false, strategies: [] }] })
    const fresh = tags(compile({ features: FEATURES }).engine)
    expect(tags(engine)).toEqual(fresh)
    expect(tags(other.engine)[0]).toBe(fresh[0])
    expect(tags(other.engine)[1]).not.toBe(fresh[1])
  })

  test.each([1, 3, 8, 9])('the same toggles have the same tag behind %i others that are off', (count) => {
    const before = Array.from({ length: count }, (_, index) => ({
      name: `off-${index}`,
      enabled: false,
      strategies: [],
    }))
    expect(tags(compile({ features: [...before, ...FEATURES] }).engine)[0]).toBe(tags(engine)[0])
  })

  test('different lists have different tags', () => {
    const { answers } = counted(engine)
    const byText = new Map<string, Set<string>>()
    for (const context of USERS) {
      for (const kind of KINDS) {
        const { etag = '' } = answers.list(kind, context).content
        byText.set(etag, (byText.get(etag) ?? new Set()).add(expected(engine, kind, context)))
      }
    }
    expect(byText.size).toBeGreaterThan(4)
    expect([...byText.values()].filter((texts) => texts.size > 1)).toEqual([])
  })

  test.each([
    ['a payload', { variants: [variant('a', { payload: { ...payload, value: '{}' } }), variant('b')] }],
    ['impression data', { impressionData: true }],
    ['the switch', { enabled: false }],
  ])('a flag that changes in %s changes the tag', (_what, change) => {
    const { answers } = counted(engine)
    answers.list('all', user)
    const features = FEATURES.map((one) => (one.name === 'own' ? { ...one, ...change } : one))
    const after = compile({ features }, {}, engine).engine
    const [before, now] = [tags(engine)[1], tags(after, answers)[1]]
    expect(now).not.toBe(before)
  })
})

describe('work', () => {
  const { engine } = compile({ features: FEATURES })
  const all = FEATURES.length

  test('a tag costs an evaluation and no bytes', () => {
    const { answers, work } = counted(engine)
    expect(answers.list('on', { userId: 'user-1' }).content.etag).not.toBe('')
    expect(work()).toEqual({ evaluated: all, serialized: 0 })
  })

  test('a context that comes again and again is evaluated twice, serialized twice, compressed once more', async () => {
    const { answers, work } = counted(engine)
    const contents: Buffer[] = []
    for (let round = 0; round < 5; round++) {
      const { content, isCached } = answers.list('on', { userId: 'user-1', unread: String(round) })
      expect(isCached).toBe(round > 1)
      contents.push(await content.encoded('gzip'))
    }
    expect(contents.map((bytes) => bytes.length > 0)).toEqual([true, true, true, true, true])
    expect(work()).toEqual({ evaluated: 2 * all, serialized: 2 })
    expect(new Set(contents).size, 'compressed').toBe(2)
    answers.list('all', { userId: 'user-1' })
    expect(work().evaluated).toBe(3 * all)
  })

  test('random outcomes are not cached', () => {
    const chance = {
      name: 'lot',
      enabled: true,
      strategies: [{ name: 'flexibleRollout', parameters: { rollout: 50 } }],
    }
    let drawn = 0
    const { engine: random } = compile({ features: [chance] }, { random: () => (drawn++ % 2 === 0 ? 0.1 : 0.9) })
    const { answers, work } = counted(random)
    const lists = Array.from({ length: 6 }, () => answers.list('on', {}).content.length > 14)
    expect(lists).toEqual([true, false, true, false, true, false])
    expect([work().evaluated, answers.cachedBytes]).toEqual([6, 0])
  })

  test('nothing is cached under an old key when an instant passes in between', () => {
    const instant = Date.UTC(2022, 0, 1)
    const constraints = [{ contextName: 'currentTime', operator: 'DATE_AFTER', value: new Date(instant).toISOString() }]
    const late = { name: 'late', enabled: true, strategies: [{ name: 'default', constraints }] }
    let asked = 0
    const clock = () => instant + (asked++ === 0 ? -1 : 1)
    const { answers } = counted(compile({ features: [late] }, { clock }).engine)
    for (let round = 0; round < 4; round++) {
      asked = 0 // the key is computed before the instant, the decision after it
      answers.list('on', {}).content.bytes()
    }
    const before = answers.list('on', { currentTime: new Date(instant - 1) })
    expect(before.content.bytes().toString()).toBe('{"toggles":[]}')
  })

  test('another engine has an empty cache', () => {
    const { answers } = counted(engine)
    for (let round = 0; round < 3; round++) answers.list('on', { userId: 'user-1' }).content.bytes()
    expect(answers.cachedBytes).toBeGreaterThan(0)
    const features = FEATURES.map((one) => ({ ...one, enabled: false }))
    const after = compile({ features }, {}, engine).engine
    const next = counted(after, undefined, answers)
    expect(next.answers.cachedBytes).toBe(0)
    expect(next.answers.list('on', { userId: 'user-1' }).content.bytes().toString()).toBe('{"toggles":[]}')
    expect(next.work().evaluated).toBe(all)
  })

  test.each([0, 100, 5000, 20_000])('at most %i bytes are cached', async (cacheBytes) => {
    const { answers } = counted(engine, cacheBytes)
    let most = 0
    for (let round = 0; round < 3; round++) {
      for (const context of USERS) {
        const { content } = answers.list('all', context)
        content.bytes()
        await content.encoded('br')
        most = Math.max(most, answers.cachedBytes)
      }
    }
    expect(most).toBeLessThanOrEqual(cacheBytes)
    if (cacheBytes >= 5000) expect(most).toBeGreaterThan(cacheBytes / 2)
  })
})
