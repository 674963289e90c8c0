import { describe, expect, test } from 'vitest'
import { CompiledEngine } from './compiled/compiled-engine.ts'
import { type CompileOptions, compile, compileSteps, type Engine, type FeatureDocument } from './engine.ts'

const listed = (...values: string[]) => [{ contextName: 'x', operator: 'IN', values }]
const flag = (name: string, strategy: object = {}) => ({
  name,
  enabled: true,
  strategies: [{ name: 'default', ...strategy }],
})
const reread = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

function programOf(engine: Engine) {
  if (!(engine instanceof CompiledEngine)) throw new TypeError('not compiled')
  return engine.program
}

/** Names of the flags that were compiled for `next` instead of reused from `before`. */
function compiledFor(next: Engine, before: Engine): string[] {
  const known = new Set(programOf(before).flags)
  return next.names.filter((_, index) => !known.has(programOf(next).flags[index] as never))
}

describe('recompilation covers', () => {
  const names = Array.from({ length: 50 }, (_, i) => `f${i}`)
  const document: FeatureDocument = {
    features: names.map((name, i) => flag(name, { constraints: listed(`v${i}`), segments: i % 10 === 0 ? [1] : [] })),
    segments: [
      { id: 1, constraints: listed('a') },
      { id: 2, constraints: [] },
    ],
  }
  const before = compile(document).engine
  const withFeature = (index: number, feature: object): FeatureDocument => ({
    ...document,
    features: document.features.map((old, i) => (i === index ? feature : old)),
  })

  test.each([
    ['nothing', document, []],
    ['a flag', withFeature(7, flag('f7')), ['f7']],
    ['a flag that is new', { ...document, features: [flag('new'), ...document.features] }, ['new']],
    ['nothing, where one is gone', { ...document, features: document.features.slice(1) }, []],
    ['nothing, where they stand otherwise', { ...document, features: document.features.toReversed() }, []],
    [
      'flags of a segment',
      { ...document, segments: [{ id: 1, constraints: listed('b') }, document.segments?.[1]] },
      ['f0', 'f10', 'f20', 'f30', 'f40'],
    ],
    ['nothing, where no flag has the segment', { ...document, segments: [document.segments?.[0]] }, []],
  ])('%s', (_, next, expected) => {
    const { engine } = compile(reread(next), {}, before)
    expect(compiledFor(engine, before)).toEqual(expected)
  })

  test.each<[string, CompileOptions]>([
    ['host', { hostname: 'other' }],
    ['profile', { profile: 'yggdrasil' }],
    ['strategies', { strategies: [{ name: 'default', isEnabled: () => false }] }],
    ['listener', { onError: () => {} }],
  ])('everything, with another %s', (_, options) => {
    expect(compiledFor(compile(document, options, before).engine, before)).toEqual(names)
  })

  test('nothing, with another clock or another chance, which count from then on', () => {
    const random = {
      name: 'r',
      enabled: true,
      strategies: [{ name: 'gradualRolloutRandom', parameters: { percentage: '50' } }],
    }
    const first = compile({ features: [random] }, { random: () => 0.9 }).engine
    const second = compile({ features: [random] }, { random: () => 0.1, clock: () => 0 }, first).engine
    expect(compiledFor(second, first)).toEqual([])
    expect([first.evaluate('r', {}).enabled, second.evaluate('r', {}).enabled]).toEqual([false, true])
  })

  test('nothing, where a document has more than 10,000 conditions', () => {
    const texts = Array.from({ length: 60 }, (_, i) => `v${i}`)
    const large = {
      features: Array.from({ length: 200 }, (_, i) => flag(`f${i}`, { constraints: listed(`${i}`, ...texts) })),
    }
    const first = compile(large).engine
    expect(compiledFor(compile(reread(large), {}, first).engine, first)).toEqual([])
  })

  test('warnings of reused flags stay', () => {
    const features = [flag('ok'), { ...flag('bad'), strategies: 5 }]
    const segments = [{ id: 1, constraints: 5 }]
    const first = compile({ features, segments })
    expect(first.warnings).toHaveLength(2)
    expect(compile(reread({ features, segments }), {}, first.engine).warnings).toEqual(first.warnings)
  })
})

describe('shared state of engines', () => {
  test('does not grow indefinitely', () => {
    const documentOf = (round: number): FeatureDocument => ({
      features: [flag('f', { constraints: listed(...Array.from({ length: 60 }, (_, i) => `${round} ${i}`)) })],
    })
    let { engine } = compile(documentOf(0))
    let most = 0
    for (let round = 1; round < 1000; round++) {
      engine = compile(documentOf(round), {}, engine).engine
      most = Math.max(most, programOf(engine).registry.tests.length)
      expect(engine.evaluate('f', { x: `${round} 5` }).enabled).toBe(true)
      expect(engine.evaluate('f', { x: `${round - 1} 5` }).enabled).toBe(false)
    }
    expect(most).toBeLessThan(300)
  })
})

test('a flag with more variants than can be numbered stays off, whatever was compiled before', () => {
  const variants = Array.from({ length: 2 ** 16 }, (_, i) => ({ name: `v${i}`, weight: 1, stickiness: 'userId' }))
  const document = { features: [{ name: 'many', enabled: true, strategies: [], variants }] }
  const before = compile(document)
  const after = compile(reread(document), { hostname: 'another' }, before.engine)
  for (const { engine, warnings } of [before, after]) {
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('more than 65534 variants')])
    expect(engine.decideAt(0, { userId: 'u' })).toBe(0)
  }
})

describe('step by step', () => {
  const document = { features: Array.from({ length: 1000 }, (_, i) => flag(`f${i}`, { constraints: listed(`v${i}`) })) }
  const context = { properties: { x: 'v77' } }

  test('others have their turn every few flags; the engine is the same', () => {
    const steps = compileSteps(document)
    let pauses = 0
    let step = steps.next()
    for (; !step.done; step = steps.next()) pauses++
    expect(pauses).toBeGreaterThan(50)
    expect([...step.value.engine.decideAll(context)]).toEqual([...compile(document).engine.decideAll(context)])
  })

  test('reading a document pauses after every 2000 features', () => {
    const pauses = (count: number) => {
      const steps = compileSteps({ features: Array.from({ length: count }, () => ({})) })
      let found = 0
      while (!steps.next().done) found++
      return found
    }
    expect(pauses(1999)).toBe(pauses(0))
    expect(pauses(2000)).toBe(pauses(0) + 1)
    expect(pauses(4000)).toBe(pauses(0) + 2)
  })

  test('the engine before can be asked in every pause', () => {
    const { engine: before } = compile(document)
    const features = document.features.map((feature, i) => (i % 2 ? { ...feature, enabled: false } : feature))
    const expected = [...before.decideAll(context)]
    const steps = compileSteps({ features }, {}, before)
    let step = steps.next()
    for (; !step.done; step = steps.next()) expect([...before.decideAll(context)]).toEqual(expected)
    expect([step.value.engine.decideAt(77, context), before.decideAt(77, context)]).toEqual([0, 1])
  })
})
