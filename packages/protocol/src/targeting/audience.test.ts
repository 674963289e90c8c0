import { expect, test } from 'vitest'
import { getRolloutPercentage, matchesAllUsers, toListStrategy } from './audience.ts'

const REGION = { contextName: 'region', operator: 'IN', values: ['eu'] }

test.each([
  { name: 'default', parameters: {}, percentage: 100 },
  { name: 'flexibleRollout', parameters: { rollout: '25.5' }, percentage: 25.5 },
  { name: 'flexibleRollout', parameters: {}, percentage: 0 },
  { name: 'flexibleRollout', parameters: { percentage: '30' }, percentage: 0 },
  { name: 'gradualRolloutUserId', parameters: { percentage: '30' }, percentage: 30 },
  { name: 'gradualRolloutUserId', parameters: { percentage: 'many' }, percentage: 0 },
  { name: 'gradualRolloutRandom', parameters: { percentage: '101' }, percentage: 100 },
  { name: 'gradualRolloutRandom', parameters: { percentage: '-1' }, percentage: 0 },
  { name: 'userWithId', parameters: { userIds: 'a' }, percentage: null },
  { name: 'customStrategy', parameters: { percentage: '100', rollout: '100' }, percentage: null },
])('$name with $parameters has the rollout percentage $percentage', ({ percentage, ...strategy }) => {
  expect(getRolloutPercentage(strategy)).toBe(percentage)
})

test.each([
  { name: 'default', fields: [], matchesAll: true },
  { name: 'default', segments: [1], fields: [], matchesAll: false },
  { name: 'default', constraints: [REGION, REGION], fields: ['region'], matchesAll: false },
  { name: 'flexibleRollout', parameters: { rollout: '100' }, fields: [], matchesAll: true },
  { name: 'flexibleRollout', parameters: { rollout: '99' }, fields: [], matchesAll: false },
  { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'default' }, fields: [], matchesAll: true },
  { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'random' }, fields: [], matchesAll: true },
  { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'team' }, fields: ['team'], matchesAll: false },
  { name: 'customStrategy', parameters: { rollout: '100' }, fields: [], matchesAll: false },
])(
  '$name with $parameters requires $fields and matches all users: $matchesAll',
  ({ matchesAll, fields, ...strategy }) => {
    const listed = toListStrategy({ parameters: {}, constraints: [], ...strategy } as Parameters<
      typeof toListStrategy
    >[0])
    expect(listed.fields).toEqual(fields)
    expect(matchesAllUsers(listed)).toBe(matchesAll)
  },
)
