import { createFlagdSource } from '@burgee/import/flagd/flagd-source'
import { createFlagsmithSource } from '@burgee/import/flagsmith/flagsmith-source'
import { createLaunchDarklySource } from '@burgee/import/launchdarkly/launchdarkly-source'
import type { Installation } from '@burgee/import/model/installation'
import { describe, expect, test } from 'vitest'
import { asker, fidelityOf, readAs } from './asked.ts'

/** An unknown property may restrict who gets a flag, so the flag is off and the report names the property. */
const UNREAD = { unheard: true }
const paid = { attribute: 'plan', op: 'in', values: ['paid'] }
const LD = { key: 'f', version: 1, on: true, variations: [true, false], offVariation: 1, fallthrough: { variation: 0 } }
const ROLLOUT = { variations: [{ variation: 0, weight: 100_000 }] }
const inSegment = { clauses: [{ attribute: '', op: 'segmentMatch', values: ['s'] }], variation: 0 }
const parent = { ...LD, key: 'p' }

const wordsOf = ({ notes }: Installation) => notes.map(({ words }) => words).join('\n')

describe('LaunchDarkly', () => {
  test.each<[part: string, flag: object, segment: object]>([
    ['flag', UNREAD, {}],
    ['rule', { rules: [{ clauses: [paid], variation: 0, ...UNREAD }] }, {}],
    ['clause', { rules: [{ clauses: [{ ...paid, ...UNREAD }], variation: 0 }] }, {}],
    ['rollout', { fallthrough: { rollout: { ...ROLLOUT, ...UNREAD } } }, {}],
    ['target', { targets: [{ values: ['1'], variation: 0, ...UNREAD }] }, {}],
    ['prerequisite', { prerequisites: [{ key: 'p', variation: 0, ...UNREAD }] }, {}],
    ['segment', { rules: [inSegment] }, { included: ['1'], ...UNREAD }],
    ['rule of a segment', { rules: [inSegment] }, { rules: [{ clauses: [paid], ...UNREAD }] }],
  ])('a key of a %s that is not read', async (part, flag, segment) => {
    const flags = { f: { ...LD, ...flag }, p: parent }
    const read = await readAs(createLaunchDarklySource, { flags, segments: { s: { key: 's', ...segment } } })
    const answers = ['1', '2'].map((userId) => asker(read).answer('f', { userId, properties: { plan: 'paid' } }))
    expect([answers, fidelityOf(read, 'f')]).toEqual([['off', 'off'], 'not carried'])
    expect(wordsOf(read)).toContain(`a ${part} has "unheard", which is not supported`)
  })

  test('the notes of a parent appear at its children', async () => {
    const child = { ...LD, prerequisites: [{ key: 'p', variation: 0 }] }
    const rules = [{ clauses: [{ ...paid, ...UNREAD }], variation: 0 }]
    const read = await readAs(createLaunchDarklySource, { flags: { f: child, p: { ...parent, rules } } })
    expect([fidelityOf(read, 'p'), fidelityOf(read, 'f')]).toEqual(['not carried', 'approximated'])
    expect(wordsOf(read)).toContain('of its parent "p": it is off here')
  })

  test('a disabled rule and one without clauses match no one', async () => {
    const rules = [{ clauses: [], variation: 0, disabled: true }, { variation: 0 }]
    const read = await readAs(createLaunchDarklySource, {
      flags: { f: { ...LD, rules, fallthrough: { variation: 1 } } },
    })
    expect(asker(read).answer('f', { userId: '1' })).toBe('off')
  })
})

describe('flagd', () => {
  const flag = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' }

  test('a key that means nothing there is named, and so is one of the file', async () => {
    const read = await readAs(createFlagdSource, { flags: { f: { ...flag, ...UNREAD } }, rules: [] })
    expect(wordsOf(read)).toMatch(/"unheard" of the flag/)
    expect(read.notes.map(({ name }) => name)).toContain('"rules" of the file')
  })

  test.each<[what: string, more: object, says: RegExp]>([
    ['a flag without variants', { variants: undefined }, /"variants" of flags\.f of .* is not an object/],
    ['another state', { state: 'OFF' }, /"state" of flags\.f of .* must be "ENABLED" or "DISABLED"/],
    ['a default that is no variant', { defaultVariant: 'x' }, /"defaultVariant" of flags\.f of .* is none of its/],
    ['rules that are a text', { targeting: 'on' }, /"targeting" of flags\.f of .* is not an object/],
  ])('%s is refused', async (_, more, says) => {
    await expect(readAs(createFlagdSource, { flags: { f: { ...flag, ...more } } })).rejects.toThrow(says)
  })
})

describe('Flagsmith', () => {
  const state = (enabled: boolean, more: object = {}) => ({ feature: { id: 1, name: 'f' }, enabled, ...more })
  const documentWith = (rule: object, more: object = {}) => ({
    feature_states: [state(false, more)],
    project: { segments: [{ id: 1, name: 's', rules: [rule], feature_states: [state(true)] }] },
  })
  const condition = { property_: 'plan', operator: 'EQUAL', value: 'paid' }

  test.each<[what: string, rule: object]>([
    ['a rule', { type: 'ALL', conditions: [], ...UNREAD }],
    ['a condition', { type: 'ALL', conditions: [{ ...condition, ...UNREAD }] }],
  ])('a key of %s that is not read', async (what, rule) => {
    const read = await readAs(createFlagsmithSource, documentWith(rule))
    expect([asker(read).answer('f', { properties: { plan: 'paid' } }), fidelityOf(read, 'f')]).toEqual([
      ...['off', 'not carried'],
    ])
    expect(wordsOf(read)).toContain(`${what} of its segment has "unheard", which is not supported`)
  })

  test('a key of a state is named', async () => {
    const read = await readAs(createFlagsmithSource, documentWith({ type: 'ALL', conditions: [condition] }, UNREAD))
    expect(wordsOf(read)).toContain('"unheard" of its state is ignored')
  })

  test.each<[what: string, document: object, says: RegExp]>([
    ['a document without a project', { feature_states: [] }, /"project" of .* has no list "segments"/],
    ['a state that is neither', { feature_states: [{}], project: { segments: [] } }, /has no "enabled"/],
    [
      'overrides that are not a list',
      { feature_states: [], project: { segments: [] }, identity_overrides: {} },
      /not a list/,
    ],
  ])('%s is refused', async (_, document, says) => {
    await expect(readAs(createFlagsmithSource, document)).rejects.toThrow(says)
  })
})

describe('attributes without a type', () => {
  const flag = (clause: object) => ({
    flags: { f: { ...LD, rules: [{ clauses: [clause], variation: 0 }], fallthrough: { variation: 1 } } },
  })

  test.each<[what: string, clause: object, words: RegExp]>([
    ['a text operator', { attribute: 'zip', op: 'startsWith', values: ['1'] }, /while contexts have "zip" as a text/],
    ['a number', { attribute: 'zip', op: 'lessThan', values: [1] }, /while contexts have "zip" as a number/],
    ['both', { attribute: 'zip', op: 'in', values: [1, '1'] }, /"zip" is compared as a number and as a text/],
    ['the environment', { attribute: 'environment', op: 'in', values: ['eu'] }, /environment of the token/],
  ])('%s has a line of what contexts must have', async (_, clause, words) => {
    expect(wordsOf(await readAs(createLaunchDarklySource, flag(clause)))).toMatch(words)
  })

  test.each([
    [[false], [undefined, false], ['on', 'on']],
    [[true], [undefined, true], ['off', 'on']],
    [['false'], [undefined, false], ['off', 'off']],
  ])('anonymous in %j is false where it is missing', async (values, given, answers) => {
    const read = await readAs(createLaunchDarklySource, flag({ attribute: 'anonymous', op: 'in', values }))
    const { answer } = asker(read)
    expect(given.map((anonymous) => answer('f', { userId: '1', properties: { anonymous } }))).toEqual(answers)
  })
})
