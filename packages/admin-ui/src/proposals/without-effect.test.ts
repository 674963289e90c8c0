import { expect, test } from 'vitest'
import { isWithoutEffect } from './without-effect.ts'

const STRATEGY = {
  id: 's1',
  name: 'flexibleRollout',
  title: '',
  disabled: false,
  sortOrder: 0,
  parameters: { rollout: '25', stickiness: 'default', groupId: 'checkout' },
  constraints: [],
  segments: [],
  variants: [],
}
const NOW = { enabled: true, strategies: [STRATEGY], variants: [] } as unknown as Parameters<typeof isWithoutEffect>[1]
const { id, name, parameters } = STRATEGY
const update = (more: object) => ({
  action: 'updateStrategy',
  payload: { id, name, parameters, segments: [], ...more },
})

test.each([
  ['a flag that is on is turned on', { action: 'updateEnabled', payload: { enabled: true } }, true],
  ['a flag that is on is turned off', { action: 'updateEnabled', payload: { enabled: false } }, false],
  [
    'disabled strategies are enabled',
    { action: 'updateEnabled', payload: { enabled: true, shouldActivateDisabledStrategies: true } },
    false,
  ],
  ['a strategy is saved unchanged', update({}), true],
  ['a rollout is raised', update({ parameters: { ...parameters, rollout: '50' } }), false],
  ['a strategy is disabled', update({ disabled: true }), false],
  ['another strategy is changed', update({ id: 'other' }), false],
  ['variants stay without variants', { action: 'patchVariant', payload: { variants: [] } }, true],
  ['a variant is added', { action: 'patchVariant', payload: { variants: [{ name: 'a', weight: 1000 }] } }, false],
  ['a strategy is added', { action: 'addStrategy', payload: { name: 'default' } }, false],
] as const)('%s: without effect is %3$s', (_what, change, expected) => {
  expect(isWithoutEffect(change as unknown as Parameters<typeof isWithoutEffect>[0], NOW)).toBe(expected)
})
