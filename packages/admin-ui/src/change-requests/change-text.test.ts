import type { ChangeAction } from '@burgee/protocol/administration/change-request'
import { expect, test } from 'vitest'
import { FLAG_TEXTS } from '../flag/texts.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { type CurrentFlag, describeChange } from './change-text.ts'
import { REQUEST_TEXTS } from './texts.ts'

const [own, words, parents] = [REQUEST_TEXTS.en, STRATEGY_TEXTS.en, FLAG_TEXTS.en.dependencies]
const TELLING = { own, words, parents, segmentName: (id: number) => `#${id}` }

const COUNTRIES = { contextName: 'country', operator: 'IN', values: ['a', 'b', 'c', 'd', 'e'] }
const BLUE = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }
const STRATEGY = {
  id: 's',
  name: 'flexibleRollout',
  title: null,
  disabled: false,
  sortOrder: 0,
  segments: [],
  parameters: { rollout: '100', stickiness: 'default', groupId: 'flag' },
  constraints: [{ ...COUNTRIES, inverted: false, caseInsensitive: false }],
  variants: [BLUE],
}
const CUSTOM = { ...STRATEGY, id: 'c', name: 'custom', parameters: { region: 'north' }, constraints: [], variants: [] }
const NOW = {
  name: 'production',
  type: 'production',
  enabled: true,
  variants: [BLUE],
  strategies: [STRATEGY, CUSTOM, { ...STRATEGY, id: 't', sortOrder: 1 }],
  dependencies: [{ feature: 'parent', enabled: true, variants: [] }],
} as unknown as CurrentFlag

const { id: _, ...SAME } = STRATEGY
const strategy = (change: object) => ({ id: 's', ...SAME, ...change })
const textOf = (action: ChangeAction, payload: unknown) => describeChange({ action, payload }, NOW, TELLING)

test.each<[string, ChangeAction, unknown, string]>([
  ['payload of a variant', 'patchVariant', { variants: [{ ...BLUE, payload: { type: 'string', value: 'x' } }] }, 'x'],
  ['overrides', 'patchVariant', { variants: [{ ...BLUE, overrides: [{ contextName: 'u', values: ['me'] }] }] }, 'me'],
  ['stickiness of variants', 'patchVariant', { variants: [{ ...BLUE, stickiness: 'userId' }] }, 'userId'],
  ['fixed weight', 'patchVariant', { variants: [{ ...BLUE, weightType: 'fix' }] }, 'fix'],
  [
    'fifth value',
    'updateStrategy',
    strategy({ constraints: [{ ...COUNTRIES, values: ['a', 'b', 'c', 'd', 'z'] }] }),
    'z',
  ],
  ['case', 'updateStrategy', strategy({ constraints: [{ ...COUNTRIES, caseInsensitive: true }] }), 'ignoring case'],
  [
    'payload of a variant of a strategy',
    'updateStrategy',
    strategy({ variants: [{ ...BLUE, payload: { type: 'json', value: '{"a":1}' } }] }),
    'Payload of blue: {"a":1}',
  ],
  ['group', 'updateStrategy', strategy({ parameters: { ...STRATEGY.parameters, groupId: 'other' } }), 'other'],
  ['stickiness of all', 'updateStrategy', strategy({ parameters: { ...STRATEGY.parameters, stickiness: 'id' } }), 'id'],
  ['another strategy', 'updateStrategy', strategy({ name: 'default', parameters: {} }), 'name: default'],
  ['its own parameter', 'updateStrategy', { id: 'c', name: 'custom', parameters: { region: 'south' } }, 'south'],
  ['enabled strategies', 'updateEnabled', { enabled: true, shouldActivateDisabledStrategies: true }, own.activates],
  ['parent off', 'addDependency', { feature: 'parent', enabled: false }, 'parent: off'],
  ['parent with a variant', 'addDependency', { feature: 'parent', variants: ['red'] }, 'red'],
  ['order of what reads alike', 'reorderStrategy', [{ id: 's', sortOrder: 2 }], '#s'],
])('%s: both sides differ, and the new side shows the change', (_what, action, payload, said) => {
  const { before, after } = textOf(action, payload)
  expect(before).not.toEqual([])
  expect(after).not.toEqual(before)
  expect(after.join('\n')).toContain(said)
})

test.each<[ChangeAction, unknown, readonly string[]]>([
  // Omitted properties equal the server's defaults.
  ['updateStrategy', strategy({ constraints: [COUNTRIES], variants: [{ name: 'blue', weight: 1000 }] }), []],
  ['updateStrategy', strategy({ title: '', disabled: null }), []],
  ['patchVariant', { variants: [{ name: 'blue', weight: 1000, overrides: [] }] }, []],
  ['addDependency', { feature: 'parent' }, []],
])('%s to %j is as it was', (action, payload, difference) => {
  const { before, after } = textOf(action, payload)
  expect(after.filter((line) => !before.includes(line))).toEqual(difference)
  expect(after).toHaveLength(before.length)
})

test('a new strategy lists only what differs from the defaults', () => {
  const parameters = { rollout: '50', stickiness: 'default', groupId: 'other' }
  expect(textOf('addStrategy', { name: 'flexibleRollout', parameters })).toMatchObject({
    before: [],
    after: ['50% of users', 'Rollout group: other'],
  })
})

test('turning on lists the strategy that is added with it', () => {
  const off = { ...NOW, enabled: false, strategies: [] }
  const turn = (enabled: boolean) => ({ action: 'updateEnabled', payload: { enabled } }) as const
  const added = { name: 'flexibleRollout', parameters: { rollout: '100' } }
  const said = own.adds(words.sentence.everybody)
  expect(describeChange(turn(true), off, TELLING, added).after).toEqual([own.on, said])
  expect(describeChange(turn(true), off, TELLING).after).toEqual([own.on])
  expect(describeChange(turn(false), NOW, TELLING, added).after).toEqual([own.off])
})

test('a state without a variant omits the variant', () => {
  const green = { name: 'green', weight: 0, weightType: 'fix', stickiness: 'userId' }
  const { before, after } = textOf('patchVariant', { variants: [BLUE, green] })
  expect(before).toEqual(['blue (100%)'])
  expect(after).toContain('Stickiness of green: userId')
})
