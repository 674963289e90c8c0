import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { Event } from '@burgee/protocol/event'
import { expect, test } from 'vitest'
import { traceRollout } from './rollout-history.ts'

const createStrategy = (id: string, rollout: number, more: object = {}) => ({
  id,
  name: 'flexibleRollout',
  parameters: { rollout: String(rollout), stickiness: 'default' },
  constraints: [],
  segments: [],
  disabled: false,
  ...more,
})

function createFlag(enabled: boolean, strategies: readonly object[], archived = false): AdminFeature {
  return { name: 'f', archived, environments: [{ name: 'live', enabled, strategies }] } as unknown as AdminFeature
}

let minute = 0
const createEvent = (type: string, states: Partial<Event> = {}): Event => ({
  id: minute,
  type,
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute++)).toISOString(),
  createdBy: 'x',
  createdByUserId: 1,
  environment: 'live',
  project: 'p',
  featureName: 'f',
  data: null,
  preData: null,
  tags: [],
  ...states,
})

const listShares = (flag: AdminFeature, events: readonly Event[]) => {
  const { start, changes } = traceRollout(flag, 'live', [...events].reverse())
  return [start, ...changes.map(({ share }) => share)].map(({ percent, isUpperBound }) =>
    isUpperBound ? `≤ ${percent}` : percent,
  )
}

test('the share follows switches and strategies of its environment only', () => {
  const events = [
    createEvent('feature-created', { environment: null }),
    createEvent('feature-strategy-add', { data: createStrategy('a', 10) }),
    createEvent('feature-environment-enabled'),
    createEvent('feature-environment-enabled', { environment: 'test' }),
    createEvent('feature-tagged', { environment: null }),
    createEvent('feature-strategy-update', { preData: createStrategy('a', 10), data: createStrategy('a', 50) }),
    createEvent('feature-strategy-add', { data: createStrategy('b', 80, { segments: [1] }) }),
    createEvent('feature-strategy-remove', { preData: createStrategy('a', 50) }),
    createEvent('feature-environment-disabled'),
  ]
  const flag = createFlag(false, [createStrategy('b', 80, { segments: [1] })])
  expect(listShares(flag, events)).toEqual([0, 0, 10, 50, '≤ 80', '≤ 80', 0])
})

test('events before the flag was last created are not counted', () => {
  const events = [createEvent('feature-environment-enabled'), createEvent('feature-created', { environment: null })]
  expect(listShares(createFlag(false, []), events)).toEqual([0])
})

test('an archived flag is off, and its share comes back to what it was before', () => {
  const events = [createEvent('feature-environment-enabled'), createEvent('feature-archived', { environment: null })]
  expect(listShares(createFlag(true, [createStrategy('a', 25)], true), events)).toEqual([0, 25, 0])
})

test('a flag without strategies is on for all users, with only disabled ones it is off', () => {
  const events = [createEvent('feature-environment-enabled')]
  expect(listShares(createFlag(true, []), events)).toEqual([0, 100])
  expect(listShares(createFlag(true, [createStrategy('a', 100, { disabled: true })]), events)).toEqual([0, 0])
})
