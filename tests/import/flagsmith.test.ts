import { createFlagsmithSource } from '@burgee/import/flagsmith/flagsmith-source'
import type { Context } from '@burgee/protocol/context'
import { describe, expect, test } from 'vitest'
import { asker, fidelityOf, readAs } from './asked.ts'

const state = (name: string, enabled: boolean, value: unknown = null, more: object = {}) => ({
  feature: { id: 1, name, type: 'STANDARD' },
  enabled,
  feature_state_value: value,
  multivariate_feature_state_values: [],
  ...more,
})
const at = (priority: number) => ({ feature_segment: { priority } })
const condition = (property: string, operator: string, value: unknown) => ({ property_: property, operator, value })
const segment = (name: string, states: object[], type: string, ...conditions: object[]) => ({
  id: 1,
  name,
  feature_states: states,
  rules: [{ type: 'ALL', conditions: [], rules: [{ type, conditions, rules: [] }] }],
})
const all = (...conditions: object[]) => ({ type: 'ALL', conditions, rules: [] })
const option = (value: string, share: number) => ({
  percentage_allocation: share,
  multivariate_feature_option: { value },
})

/** Returns a flag that is on for a segment with one rule. */
const forSegment = (name: string, type: string, ...conditions: object[]) =>
  segment(`s-${name}`, [state(name, true, null, at(0))], type, ...conditions)

const RULES: Record<string, object[]> = {
  equal: [condition('plan', 'EQUAL', 'paid')],
  'not equal': [condition('plan', 'NOT_EQUAL', 'paid')],
  more: [condition('age', 'GREATER_THAN', '18')],
  version: [condition('app', 'GREATER_THAN_INCLUSIVE', '1.2.0:semver')],
  contains: [condition('email', 'CONTAINS', '@b')],
  set: [condition('plan', 'IS_SET', '')],
  unset: [condition('plan', 'IS_NOT_SET', '')],
  listed: [condition('country', 'IN', 'DE,FR')],
  pattern: [condition('email', 'REGEX', '^a+@')],
  'empty pattern': [condition('email', 'REGEX', '')],
  'property of the API': [{ property: 'plan', operator: 'EQUAL', value: 'paid' }],
  'pattern anywhere': [condition('email', 'REGEX', 'a+@')],
  split: [condition('', 'PERCENTAGE_SPLIT', '10')],
  modulo: [condition('age', 'MODULO', '2|0')],
}

const document = {
  feature_states: [
    ...Object.keys(RULES).map((name) => state(name, false)),
    state('on', true),
    state('off', false),
    state('valued', true, 'red'),
    state('dark value', false, 'red'),
    state('first', false),
    state('none', false),
    state('shares', true, 'control', { multivariate_feature_state_values: [option('a', 30), option('b', 20)] }),
  ],
  project: {
    segments: [
      ...Object.entries(RULES).map(([name, conditions]) => forSegment(name, 'ALL', ...conditions)),
      segment('later', [state('first', true, null, at(5))], 'ALL', condition('country', 'EQUAL', 'DE')),
      segment(
        'earlier',
        [state('first', false, null, at(1)), state('valued', true, 'blue', at(1))],
        'ANY',
        condition('plan', 'EQUAL', 'free'),
        condition('plan', 'EQUAL', 'trial'),
      ),
      forSegment('none', 'NONE', condition('plan', 'EQUAL', 'free')),
    ],
  },
  identity_overrides: [
    { identifier: 'alice', identity_features: [state('first', true), state('valued', true, 'green')] },
  ],
}

const installation = await readAs(createFlagsmithSource, document)
const ours = asker(installation)
const with_ = (properties: Record<string, string>, userId = 'bob'): Context => ({ userId, properties })

describe('Flagsmith', () => {
  test.each<[flag: string, context: Context, answer: string]>([
    ['on', {}, 'on'],
    ['off', {}, 'off'],
    ['equal', with_({ plan: 'paid' }), 'on'],
    ['equal', with_({ plan: 'free' }), 'off'],
    ['not equal', with_({ plan: 'free' }), 'on'],
    ['not equal', with_({ plan: 'paid' }), 'off'],
    ['not equal', with_({}), 'off'],
    ['more', with_({ age: '19' }), 'on'],
    ['more', with_({ age: '18' }), 'off'],
    ['version', with_({ app: '1.2.0' }), 'on'],
    ['version', with_({ app: '1.1.9' }), 'off'],
    ['contains', with_({ email: 'a@b.c' }), 'on'],
    ['set', with_({ plan: 'x' }), 'on'],
    ['set', with_({}), 'off'],
    ['unset', with_({}), 'on'],
    ['unset', with_({ plan: 'x' }), 'off'],
    ['listed', with_({ country: 'FR' }), 'on'],
    ['pattern', with_({ email: 'aa@x' }), 'on'],
    ['pattern', with_({ email: 'baa@x' }), 'off'],
    ['empty pattern', with_({ email: 'aa@x' }), 'off'],
    ['property of the API', with_({ plan: 'paid' }), 'on'],
    ['property of the API', with_({ plan: 'free' }), 'off'],
    ['none', with_({ plan: 'paid' }), 'on'],
    ['none', with_({ plan: 'free' }), 'off'],
    ['first', with_({ country: 'DE' }), 'on'],
    ['first', with_({ country: 'DE', plan: 'trial' }), 'off'],
    ['first', with_({ country: 'DE', plan: 'trial' }, 'alice'), 'on'],
    ['valued', with_({}), '"red"'],
    ['valued', with_({ plan: 'free' }), '"blue"'],
    ['valued', with_({ plan: 'free' }, 'alice'), '"green"'],
  ])('%s for %j: %s', (flag, context, answer) => {
    expect(fidelityOf(installation, flag)).toBe('exact')
    expect(ours.answer(flag, context)).toBe(answer)
  })

  test.each([
    ['split', /contains a percentage/],
    ['modulo', /"MODULO" has no counterpart/],
  ])('%s: off, with the reason', (flag, why) => {
    expect(fidelityOf(installation, flag)).toBe('not carried')
    expect(installation.notes.find(({ name }) => name.startsWith(`${flag} in`))?.words).toMatch(why)
    expect(ours.answer(flag, with_({ age: '2' }))).toBe('off')
  })

  /** Expected results of the engine of `flagsmith-nodejs` 8.1.2. */
  test.each<[what: string, rule: object, context: Context, answer: string]>([
    ['without an identity no segment counts', all(condition('plan', 'IS_NOT_SET', '')), { properties: {} }, 'off'],
    ['an identity without the trait', all(condition('plan', 'IS_NOT_SET', '')), with_({}), 'on'],
    ['a list as JSON', all(condition('plan', 'IN', '["a,b","c"]')), with_({ plan: 'a,b' }), 'on'],
    ['rules within ANY', { type: 'ANY', rules: [all(condition('plan', 'EQUAL', 'a'))] }, with_({ plan: 'a' }), 'off'],
    ['rules within NONE', { type: 'NONE', rules: [all(condition('plan', 'EQUAL', 'a'))] }, with_({ plan: 'a' }), 'off'],
    ['hexadecimal numbers', all(condition('age', 'LESS_THAN', '0x20')), with_({ age: '18' }), 'off'],
    ['another version', all(condition('app', 'NOT_EQUAL', '1.2.3:semver')), with_({ app: '1.2.4' }), 'off'],
    ['look-behind', all(condition('plan', 'REGEX', '(?<=a)b')), with_({ plan: 'ab' }), 'off'],
  ])('%s', async (_, rule, context, answer) => {
    const own = { id: 1, name: 's', rules: [rule], feature_states: [state('f', true)] }
    const read = await readAs(createFlagsmithSource, {
      feature_states: [state('f', false)],
      project: { segments: [own] },
    })
    expect(asker(read).answer('f', context)).toBe(answer)
  })

  test('an option for everyone applies to identities only, and options beyond 100 % apply to no one', async () => {
    const options = (...shares: number[]) => ({
      multivariate_feature_state_values: shares.map((share, at) => ({ id: at + 1, ...option(`m${at}`, share) })),
    })
    const read = await readAs(createFlagsmithSource, {
      feature_states: [state('one', true, 'control', options(100)), state('two', true, 'control', options(100, 100))],
      project: { segments: [] },
    })
    const { answer } = asker(read)
    expect(['one', 'two'].map((flag) => answer(flag, { userId: '1' }))).toEqual(['"m0"', '"m0"'])
    expect(['one', 'two'].map((flag) => answer(flag, {}))).toEqual(['"control"', '"control"'])
  })

  test('equal priorities of segments are decided by the lower id', async () => {
    const own = (id: number, value: string) => ({
      id,
      name: value,
      rules: [all(condition('plan', 'IS_SET', ''))],
      feature_states: [state('f', true, value, at(1))],
    })
    const segments = [own(2, 'second'), own(1, 'first')]
    const read = await readAs(createFlagsmithSource, { feature_states: [state('f', false)], project: { segments } })
    expect(asker(read).answer('f', with_({ plan: 'x' }))).toBe('"first"')
  })

  test('shares stay, and the rest gets the value itself', () => {
    const answers = Array.from({ length: 3000 }, (_, index) => ours.answer('shares', { userId: `p-${index}` }))
    const share = (value: string) =>
      answers.filter((answer) => answer === JSON.stringify(value)).length / answers.length
    expect(share('a')).toBeCloseTo(0.3, 1)
    expect(share('b')).toBeCloseTo(0.2, 1)
    expect(share('control')).toBeCloseTo(0.5, 1)
    expect(fidelityOf(installation, 'shares')).toBe('approximated')
  })

  test('a pattern that some engines match anywhere is matched from the start, with a note', () => {
    expect(fidelityOf(installation, 'pattern anywhere')).toBe('approximated')
    const answers = ['aa@x', 'baa@x'].map((email) => ours.answer('pattern anywhere', with_({ email })))
    expect(answers).toEqual(['on', 'off'])
  })

  test('a note names the omitted value of a disabled flag', () => {
    expect(fidelityOf(installation, 'dark value')).toBe('approximated')
  })

  test('another document', async () => {
    await expect(readAs(createFlagsmithSource, { flag: {} })).rejects.toThrow(/no list "feature_states"/)
  })
})
