import type { Milestone } from '@burgee/protocol/administration/release-plan'
import { describe, expect, test } from 'vitest'
import { listMilestoneEdits, listMilestoneEffects, listMilestoneStrategies } from './milestone-edits.ts'
import { listStrategiesOutsidePlan } from './strategies-outside-plan.ts'

const FLAG = 'new-checkout'

function createMilestone(id: string, ...percents: readonly number[]): Milestone {
  const strategies = percents.map((percent, index) => ({
    id: `${id}-${index}`,
    milestoneId: id,
    sortOrder: index,
    title: null,
    strategyName: 'flexibleRollout',
    parameters: { rollout: String(percent) },
    constraints: [],
    variants: [],
    segments: [],
  }))
  return {
    id,
    name: id,
    sortOrder: 0,
    releasePlanDefinitionId: 'plan',
    startedAt: null,
    transitionCondition: null,
    progressionExecutedAt: null,
    pausedAt: null,
    strategies,
  }
}

describe('the effects of milestones', () => {
  test('compare each milestone with the one before it', () => {
    const milestones = [createMilestone('a', 25), createMilestone('b', 50), createMilestone('c', 100)]
    const effects = listMilestoneEffects({ isOn: true, strategies: [] }, milestones.slice(0, 0), FLAG)
    expect(effects).toEqual([])
    const [first, second, third] = listMilestoneEffects({ isOn: false, strategies: [] }, milestones, FLAG)
    expect(first).toMatchObject({ kind: 'comes' })
    expect(second).toMatchObject({ kind: 'comes', share: { from: 25, to: 50, isOfSome: false } })
    expect(third).toMatchObject({ kind: 'comes', share: { from: 50, to: 100 } })
  })

  test('show users who lose the flag', () => {
    const milestones = [createMilestone('a', 50), createMilestone('b', 10)]
    const effects = listMilestoneEffects({ isOn: false, strategies: [] }, milestones, FLAG)
    expect(effects[1]).toMatchObject({ kind: 'leaves', share: { from: 50, to: 10 } })
  })
})

test('a step between milestones replaces strategies by position, then adds or removes', () => {
  const from = listMilestoneStrategies(createMilestone('a', 25, 30), FLAG)
  const to = listMilestoneStrategies(createMilestone('b', 50), FLAG)
  expect(listMilestoneEdits(from, to)).toMatchObject([
    { strategy: { id: 'a-0', parameters: { rollout: '50', groupId: FLAG } } },
    { removeStrategy: 'a-1' },
  ])
  const [, added] = listMilestoneEdits(to, from)
  expect(added?.strategy).not.toHaveProperty('id')
})

test('strategies of the active milestone are not the own strategies of the flag', () => {
  const active = createMilestone('a', 25)
  const all = [...listMilestoneStrategies(active, FLAG), ...listMilestoneStrategies(createMilestone('own', 1), FLAG)]
  expect(listStrategiesOutsidePlan(all, active).map(({ id }) => id)).toEqual(['own-0'])
  expect(listStrategiesOutsidePlan(all, undefined)).toEqual(all)
})
