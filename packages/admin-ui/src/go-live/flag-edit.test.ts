import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { expect, test } from 'vitest'
import { listEnabledStrategies } from '../impact/edit-effect.ts'
import { applyEdit, type EditableFlag, getLargestShare, type LiveEdit } from './flag-edit.ts'

const rollout = (id: string, percent: string, disabled = false): AdminStrategy => ({
  id,
  name: 'flexibleRollout',
  title: null,
  disabled,
  sortOrder: 0,
  parameters: { rollout: percent, stickiness: 'default', groupId: 'f' },
  constraints: [],
  segments: [],
  variants: [],
})
const DEFAULT = { name: 'flexibleRollout', parameters: { rollout: '40' } }
const off = (...strategies: AdminStrategy[]): EditableFlag => ({ enabled: false, strategies, addedStrategy: DEFAULT })
const on = (...strategies: AdminStrategy[]): EditableFlag => ({ enabled: true, strategies })

test.each<[string, EditableFlag, LiveEdit, { isOn: boolean; shares: string[]; largest: number }]>([
  [
    'turning on without a strategy adds the default one',
    off(),
    { enabled: true },
    { isOn: true, shares: ['40'], largest: 40 },
  ],
  [
    'turning on leaves a disabled strategy disabled and adds the default one',
    off(rollout('a', '10', true)),
    { enabled: true },
    { isOn: true, shares: ['40'], largest: 40 },
  ],
  [
    'turning on can enable the disabled strategies instead',
    off(rollout('a', '10', true)),
    { enabled: true, activate: true },
    { isOn: true, shares: ['10'], largest: 10 },
  ],
  [
    'turning on keeps enabled strategies',
    off(rollout('a', '25')),
    { enabled: true },
    { isOn: true, shares: ['25'], largest: 25 },
  ],
  ['turning off serves no one', on(rollout('a', '25')), { enabled: false }, { isOn: false, shares: [], largest: 0 }],
  [
    'a new strategy is added',
    on(rollout('a', '25')),
    { strategy: { name: 'default' } },
    { isOn: true, shares: ['25', ''], largest: 100 },
  ],
  [
    'a strategy with an id is replaced',
    on(rollout('a', '25'), rollout('b', '5')),
    { strategy: { id: 'b', name: 'flexibleRollout', parameters: { rollout: '50' } } },
    { isOn: true, shares: ['25', '50'], largest: 50 },
  ],
  [
    'removing the last strategy turns the flag off',
    on(rollout('a', '25')),
    { removeStrategy: 'a' },
    { isOn: false, shares: [], largest: 0 },
  ],
])('%s', (_name, flag, edit, { isOn, shares, largest }) => {
  const side = applyEdit(flag, edit)
  expect(side.isOn).toBe(isOn)
  expect(listEnabledStrategies(side).map(({ parameters }) => parameters.rollout ?? '')).toEqual(shares)
  expect(getLargestShare(side)).toBe(largest)
})
