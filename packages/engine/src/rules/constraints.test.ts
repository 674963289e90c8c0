import { RE2JS } from 're2js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { compile } from '../engine.ts'
import {
  compilePattern,
  getMaxTextLength,
  MAX_EVALUATION_WORK,
  MAX_PATTERN_SIZE,
  MAX_SEARCH_WORK,
  MAX_SEARCHED_LENGTH,
  PatternSearch,
  SearchBudget,
} from './pattern.ts'

const NOW = Date.parse('2022-01-29T13:00:00Z')

/** Evaluates a flag with one constraint on the property `x`. */
function holds(constraint: object, x?: unknown, context: object = {}): boolean {
  const strategies = [{ name: 'default', constraints: [{ contextName: 'x', ...constraint }] }]
  const { engine } = compile({ features: [{ name: 'f', enabled: true, strategies }] }, { clock: () => NOW })
  return engine.evaluate('f', { properties: x === undefined ? {} : { x }, ...context }).enabled
}

describe('lists', () => {
  test.each([
    ['IN', ['a', 'b'], 'b', true],
    ['IN', ['a', 'b'], 'A', false],
    ['IN', [' a '], 'a', true],
    ['IN', ['a'], ' a ', false],
    ['IN', [' '], '', true],
    ['IN', [''], '', false],
    ['IN', ['5'], 5, true],
    ['IN', ['true'], true, true],
    ['IN', ['a,b'], ['a', 'b'], true],
    ['IN', ['undefined', 'null'], undefined, false],
    ['IN', [null, 0, 'a'], 'a', true],
    ['IN', [], 'a', false],
    ['NOT_IN', ['a'], 'b', true],
    ['NOT_IN', ['a'], 'a', false],
    ['NOT_IN', ['a'], undefined, true],
    ['NOT_IN', [], 'a', true],
    ['STR_STARTS_WITH', ['x', 'ab'], 'abc', true],
    ['STR_STARTS_WITH', ['bc'], 'abc', false],
    ['STR_ENDS_WITH', ['bc'], 'abc', true],
    ['STR_ENDS_WITH', ['ab'], 'abc', false],
    ['STR_CONTAINS', ['B'], 'abc', false],
    ['STR_CONTAINS', ['b '], 'abc', true],
    ['STR_CONTAINS', [''], 'abc', false],
    ['STR_CONTAINS', [' '], 'abc', true],
    ['STR_CONTAINS', ['b'], undefined, false],
    ['IN_CIDR', ['10.0.0.0/8', 'x'], '10.1.2.3', true],
    ['IN_CIDR', ['10.0.0.0/8'], '::ffff:10.1.2.3', false],
    ['IN_CIDR', ['10.1.1.1/16'], '10.1.1.1/8', true],
    ['IN_CIDR', ['2001:db8::/32'], '2001:DB8::5%eth0', true],
    ['IN_CIDR', [' 10.0.0.1 '], '10.0.0.1', true],
    ['IN_CIDR', ['10.0.0.1'], ' 10.0.0.1', false],
    ['IN_CIDR', ['0.0.0.0/0'], undefined, false],
  ])('%s %j holds for %j: %s', (operator, values, x, expected) => {
    expect(holds({ operator, values }, x)).toBe(expected)
    expect(holds({ operator, values, inverted: true }, x)).toBe(!expected)
  })

  test.each([
    ['STR_CONTAINS', ['B'], 'abc', true],
    ['STR_ENDS_WITH', ['Σ'], 'ας', false],
    ['STR_ENDS_WITH', ['σ'], 'ΑΣ', false],
    ['IN', ['A'], 'a', false],
  ])('%s %j holds for %j whatever the case: %s', (operator, values, x, expected) => {
    expect(holds({ operator, values, caseInsensitive: true }, x)).toBe(expected)
  })
})

describe('single values', () => {
  test.each([
    ['NUM_EQ', '5', '5.0', true],
    ['NUM_EQ', '', '0', true],
    ['NUM_EQ', null, '0', true],
    ['NUM_EQ', undefined, '0', false],
    ['NUM_EQ', '0x10', '16', true],
    ['NUM_EQ', ' 5 ', '5', true],
    ['NUM_EQ', '1_000', '1000', false],
    ['NUM_EQ', '5px', '5', false],
    ['NUM_EQ', '0.30000000000000004', '0.3', false],
    ['NUM_GT', '5', '5', false],
    ['NUM_GTE', '5', '5', true],
    ['NUM_LT', '1e3', '999', true],
    ['NUM_LTE', 'Infinity', '1e308', true],
    ['NUM_GT', '0', 'x', false],
    ['NUM_LT', '0', undefined, false],
    ['NUM_EQ', '0', '', true],
    ['SEMVER_EQ', 'v1.2.3', '1.2.3', true],
    ['SEMVER_EQ', '1.2.3', 'v1.2.3', false],
    ['SEMVER_EQ', '1.2.3', ' v1.2.3', true],
    ['SEMVER_GT', '1.9.0', '1.10.0', true],
    ['SEMVER_LT', '1.0.0', '1.0.0-rc.1', true],
    ['SEMVER_GT', '1.0.0', '1.0.0', false],
    ['SEMVER_LT', '1.0.0', '1.0.0', false],
    ['SEMVER_GTE', '1.0.0', '1.0.0', true],
    ['SEMVER_LTE', '1.0.0', '1.0.1', false],
    ['SEMVER_EQ', '1.2', '1.2', false],
    ['SEMVER_EQ', 5, '5.0.0', false],
    ['REGEX', 'b', 'abc', true],
    ['REGEX', '^b', 'abc', false],
    ['REGEX', '(?i)B', 'abc', true],
    ['REGEX', 'a$', 'a\n', false],
    ['REGEX', '\\w', 'é', false],
    ['REGEX', '\\pL', 'é', true],
    ['REGEX', '[[:alpha:]]', 'a', true],
    ['REGEX', '(?=a)', 'a', false],
    ['REGEX', '(a)\\1', 'aa', false],
    ['REGEX', '[', '[', false],
    ['REGEX', '', 'a', true],
    ['REGEX', '', undefined, false],
    ['REGEX', 5, '5', false],
    ['REGEX', null, 'null', false],
    ['REGEX', undefined, 'undefined', false],
    ['REGEX', [], '', false],
  ])('%s %j holds for %j: %s', (operator, value, x, expected) => {
    expect(holds({ operator, value }, x)).toBe(expected)
    expect(holds({ operator, value, inverted: true }, x)).toBe(!expected)
  })

  test('a pattern that would stall a backtracking engine answers at once', () => {
    const before = performance.now()
    expect(holds({ operator: 'REGEX', value: '^(a+)+$' }, `${'a'.repeat(40)}b`)).toBe(false)
    expect(performance.now() - before).toBeLessThan(1000)
  })
})

describe('a pattern searches texts with a bounded amount of work', () => {
  test.each(['a$', '(?i)(chrome|firefox)/[0-9]+', '[a-z]{1000}', '.*'.repeat(500)])('%s', (value) => {
    const pattern = compilePattern(value, false)
    if (pattern === undefined) throw new Error('does not compile')
    const max = getMaxTextLength(pattern)
    expect(max * pattern.programSize()).toBeLessThanOrEqual(Math.max(MAX_SEARCH_WORK, 512 * MAX_PATTERN_SIZE))
    const isLongest = (max + 1) * pattern.programSize() > MAX_SEARCH_WORK
    expect(isLongest || max === MAX_SEARCHED_LENGTH).toBe(true)
  })

  test('a text of 512 characters is searched for every pattern that users can enter', () => {
    const bots = Array.from({ length: 45 }, (_, index) => `somebot${index}`).join('|')
    for (const value of ['a', `(?i)(${bots})`, '[a-z]{900}']) {
      const pattern = compilePattern(value, false)
      if (pattern === undefined) throw new Error('does not compile')
      expect([value, pattern.programSize() <= MAX_PATTERN_SIZE]).toEqual([value, true])
      expect([value, getMaxTextLength(pattern) >= 512]).toEqual([value, true])
    }
    const userAgent = `Mozilla/5.0 ${'x'.repeat(250)} SomeBot44`
    expect(holds({ operator: 'REGEX', value: `(?i)(${bots})` }, userAgent)).toBe(true)
  })

  test('small patterns of many flags search a long text with a fraction of their own bounds', () => {
    const patterns = Array.from({ length: 50 }, (_, index) => compilePattern(`(a|aa|x)+${index}$`, false))
    const work = patterns.map((pattern) => {
      if (pattern === undefined) throw new Error('does not compile')
      expect(new PatternSearch(pattern).find('a'.repeat(25_000), new SearchBudget())).toBe(undefined)
      return getMaxTextLength(pattern) * pattern.programSize()
    })
    expect(Math.max(...work)).toBeLessThan(MAX_SEARCH_WORK / 2)
  })

  test('fifty large patterns take at most 512,000 steps each for any text', () => {
    const sources = ['(?:a{0,30}){0,16}', '(?:.*a.*){20}', '[a-z]{1,200}.{1,200}', '(?:a|aa|x){900}', 'a?'.repeat(480)]
    const steps = Array.from({ length: 50 }, (_, index) => {
      const pattern = compilePattern(`${sources[index % sources.length]}b${index}$`, false)
      if (pattern === undefined) throw new Error('does not compile')
      const searched = vi.spyOn(pattern, 'matcher')
      for (const length of [50, 100, 200, 500, 1000, 2048, 25_000]) {
        new PatternSearch(pattern).find('a'.repeat(length), new SearchBudget())
      }
      const longest = Math.max(0, ...searched.mock.calls.map(([text]) => String(text).length))
      return longest * pattern.programSize()
    })
    expect(Math.max(...steps)).toBeLessThanOrEqual(512 * MAX_PATTERN_SIZE)
  })

  test.each([true, false])('flags with the same pattern search a value once, with caches: %s', (caches) => {
    // too long for the key of a shared condition
    const value = `(?:${Array.from({ length: 300 }, (_, index) => `a${index}`).join('|')})$`
    const constraints = (inverted: boolean) => [{ contextName: 'x', operator: 'REGEX', value, inverted }]
    const features = Array.from({ length: 50 }, (_, index) => ({
      name: `f${index}`,
      enabled: true,
      strategies: [{ name: 'default', constraints: constraints(index % 2 === 1) }],
    }))
    const { engine } = compile({ features }, { clock: () => NOW, caches })
    const searched = vi.spyOn(RE2JS.prototype, 'matcher')
    onTestFinished(() => searched.mockRestore())
    const countOn = (x: string) =>
      features.filter(({ name }) => engine.evaluate(name, { properties: { x } }).enabled).length
    expect([countOn('xa7'), countOn('xb'), searched.mock.calls.length]).toEqual([25, 25, 2])
  })

  test('a constraint on a longer text does not hold, even if inverted', () => {
    const pattern = compilePattern('a$', false)
    if (pattern === undefined) throw new Error('does not compile')
    const longest = 'a'.repeat(getMaxTextLength(pattern))
    const constraint = { operator: 'REGEX', value: 'a$' }
    const resultsFor = (text: string) => [
      holds(constraint, text),
      holds({ ...constraint, inverted: true }, text),
      holds({ ...constraint, value: 'b$', inverted: true }, text),
    ]
    expect(resultsFor(longest)).toEqual([true, false, true])
    expect(resultsFor(`${longest}a`)).toEqual([false, false, false])
  })
})

describe.each([true, false])('all searches of an evaluation share a budget, with caches: %s', (caches) => {
  const strategyOf = (value: string, inverted: boolean) => ({
    name: 'default',
    constraints: [{ contextName: 'x', operator: 'REGEX', value, inverted }],
  })
  const COUNT = 50
  const patterns = Array.from({ length: COUNT }, (_, index) => `[a-z]{1,200}${index}.{1,200}$`)
  const features = [
    ...patterns.map((value, index) => ({
      name: `yes-${index}`,
      enabled: true,
      strategies: [strategyOf(value, false)],
    })),
    ...patterns.map((value, index) => ({ name: `no-${index}`, enabled: true, strategies: [strategyOf(value, true)] })),
    ...patterns.map((_value, index) => ({
      name: `child-${index}`,
      enabled: true,
      strategies: [],
      dependencies: [{ feature: `yes-${index}`, enabled: false }],
    })),
  ]
  const { engine } = compile({ features }, { clock: () => NOW, caches })
  const namesOn = (x: string) =>
    engine
      .evaluateAll({ properties: { x } })
      .filter(({ enabled }) => enabled)
      .map(({ name }) => name)
  /** Text that the patterns with an even index match, after long searches. */
  const text = `${'a'.repeat(60)}${patterns.map((_, index) => (index % 2 === 0 ? `a${index}` : '')).join('')}${'b'.repeat(250)}`
  const expectedOn = (x: string) => {
    const isFound = patterns.map((value) => RE2JS.compile(value).matcher(x).find())
    return features
      .filter(({ name }) => isFound[Number(name.split('-')[1])] === name.startsWith('yes'))
      .map(({ name }) => name)
  }

  test('a longer evaluation skips searches, and turns no flag on by that', () => {
    const expected = expectedOn(text)
    const works: number[] = []
    const original = RE2JS.prototype.matcher
    const searched = vi.spyOn(RE2JS.prototype, 'matcher').mockImplementation(function (this: RE2JS, ...given) {
      works.push(this.programSize() * String(given[0]).length)
      return original.apply(this, given)
    })
    onTestFinished(() => searched.mockRestore())
    const on = namesOn(text)
    expect(works.length).toBeGreaterThan(5)
    expect(works.length).toBeLessThan(COUNT)
    expect(works.reduce((sum, work) => sum + work, 0)).toBeLessThanOrEqual(MAX_EVALUATION_WORK)
    expect(on.filter((name) => !expected.includes(name))).toEqual([])
    expect(on.length).toBeLessThan(expected.length)
  })

  test('the next evaluation has the whole budget', () => {
    namesOn(text)
    const short = 'a12b'
    expect(namesOn(short).sort()).toEqual(expectedOn(short).sort())
  })
})

describe('dates compare the time of the context, whatever their contextName', () => {
  const at = new Date(NOW)
  test.each([
    ['DATE_AFTER', '2022-01-29T12:59:59.999Z', { currentTime: at }, true],
    ['DATE_AFTER', '2022-01-29T13:00:00Z', { currentTime: at }, false],
    ['DATE_BEFORE', '2022-01-29T13:00:00Z', { currentTime: at }, false],
    ['DATE_BEFORE', '2022-01-29T15:00:00.001+02:00', { currentTime: at }, true],
    ['DATE_AFTER', '2022-01-29', { currentTime: '2022-01-29T00:00:01Z' }, true],
    ['DATE_AFTER', '2022-01-29T12:00:00Z', {}, true],
    ['DATE_AFTER', '2022-01-29T12:00:00Z', { currentTime: '' }, true],
    ['DATE_AFTER', null, {}, true],
    ['DATE_BEFORE', NOW + 1, {}, true],
    ['DATE_AFTER', '1643461200000', {}, false],
    ['DATE_AFTER', 'x', {}, false],
    ['DATE_AFTER', undefined, {}, false],
    ['DATE_AFTER', '2000-01-01', { currentTime: 'x' }, false],
  ])('%s %j, %j: %s', (operator, value, context, expected) => {
    expect(holds({ operator, value }, undefined, context)).toBe(expected)
    expect(holds({ operator, value, inverted: true }, 'ignored', context)).toBe(!expected)
  })
})

describe('malformed constraints never hold, not even inverted', () => {
  test.each([
    { operator: 'NOPE', values: ['a'], value: 'a' },
    { operator: 'constructor', values: ['a'] },
    { operator: undefined, values: ['a'] },
    { operator: { toString: 1 }, values: ['a'] },
    { operator: 'IN' },
    { operator: 'IN', values: null },
    { operator: 'IN', values: 'a' },
    { operator: 'NOT_IN', values: [5] },
    { operator: 'STR_CONTAINS', values: [['a']] },
    { operator: 'IN_CIDR', values: {} },
  ])('%j', (constraint) => {
    expect(holds(constraint, 'a')).toBe(false)
    expect(holds({ ...constraint, inverted: true }, 'a')).toBe(false)
    expect(holds({ ...constraint, inverted: true }, undefined)).toBe(false)
  })
})

describe('the value of a field', () => {
  const x = { operator: 'IN', values: ['x'] }
  test.each([
    ['top level before properties', { x: 'x', properties: { x: 'y' } }, true],
    ['an empty text hides the property', { x: '', properties: { x: 'x' } }, false],
    ['null does not', { x: null, properties: { x: 'x' } }, true],
    ['properties may be missing', {}, false],
    ['properties may be null', { properties: null }, false],
  ])('%s', (_, context, expected) => {
    expect(holds(x, undefined, context)).toBe(expected)
  })

  test.each([{ toString: 1 }, { toString: null, valueOf: null }, Object.create(null), Symbol('x'), null, undefined])(
    'counts as missing if it has no text form',
    (value) => {
      expect(holds(x, undefined, { properties: { x: value } })).toBe(false)
      expect(holds({ ...x, inverted: true }, undefined, { properties: { x: value } })).toBe(true)
      expect(holds({ operator: 'STR_CONTAINS', values: [' '] }, undefined, { properties: { x: value } })).toBe(false)
    },
  )

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('inherited %s is missing', (contextName) => {
    expect(holds({ contextName, operator: 'REGEX', value: '' }, 'x')).toBe(false)
    const own = JSON.parse(`{"properties":{"${contextName}":"mine"}}`)
    expect(holds({ contextName, operator: 'IN', values: ['mine'] }, undefined, own)).toBe(true)
  })
})
