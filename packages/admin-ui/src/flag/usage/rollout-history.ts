import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { Event, EventType } from '@burgee/protocol/event'
import {
  FULL_PERCENTAGE,
  getRolloutPercentage,
  matchesAllUsers,
  toListStrategy,
} from '@burgee/protocol/targeting/audience'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'

/** Share of the users who get a flag in an environment. */
export interface Share {
  readonly percent: number
  /** True if the real share can be smaller, because the strategies have conditions. */
  readonly isUpperBound: boolean
}

/** Change of a flag that concerns an environment, with the share of users after the change. */
export interface RolloutChange {
  readonly at: number
  readonly event: Event
  readonly share: Share
}

/** Share of users over time in one environment. */
export interface RolloutHistory {
  /** Share before the first change. */
  readonly start: Share
  /** Changes, oldest first. */
  readonly changes: readonly RolloutChange[]
}

type RolloutStrategy = Pick<AdminStrategy, 'id' | 'name' | 'parameters' | 'constraints' | 'segments' | 'disabled'>

interface RolloutState {
  readonly isArchived: boolean
  readonly isOn: boolean
  readonly strategies: readonly RolloutStrategy[]
}

/** Functions that return the state before an event, given the state after it. */
const REVERSED: Partial<Record<EventType, (state: RolloutState, event: Event) => RolloutState>> = {
  'feature-environment-enabled': (state) => ({ ...state, isOn: false }),
  'feature-environment-disabled': (state) => ({ ...state, isOn: true }),
  'feature-archived': (state) => ({ ...state, isArchived: false }),
  'feature-revived': (state) => ({ ...state, isArchived: true }),
  'feature-environment-variants-updated': (state) => state,
  'feature-strategy-add': (state, { data }) => ({
    ...state,
    strategies: state.strategies.filter(({ id }) => id !== (data as RolloutStrategy).id),
  }),
  'feature-strategy-update': (state, { preData }) => ({
    ...state,
    strategies: state.strategies.map((one) =>
      one.id === (preData as RolloutStrategy).id ? (preData as RolloutStrategy) : one,
    ),
  }),
  'feature-strategy-remove': (state, { preData }) => ({
    ...state,
    strategies: [...state.strategies, preData as RolloutStrategy],
  }),
}

/**
 * Returns the share of users over time in an environment, derived from the current state of a flag and its events,
 * newest first. The history starts with the oldest event, or when a flag of this name was last created.
 */
export function traceRollout(flag: AdminFeature, environment: string, events: readonly Event[]): RolloutHistory {
  const here = flag.environments.find(({ name }) => name === environment)
  let state: RolloutState = {
    isArchived: flag.archived,
    isOn: here?.enabled ?? false,
    strategies: here?.strategies ?? [],
  }
  const changes: RolloutChange[] = []
  for (const event of events) {
    if (event.type === 'feature-created') break
    const reverse = REVERSED[event.type as EventType]
    if (reverse === undefined || (event.environment !== null && event.environment !== environment)) continue
    changes.push({ at: Date.parse(event.createdAt), event, share: getShare(state) })
    state = reverse(state, event)
  }
  return { start: getShare(state), changes: changes.reverse() }
}

function getShare({ isArchived, isOn, strategies }: RolloutState): Share {
  const enabled = strategies.filter(({ disabled }) => !disabled)
  const isOff = isArchived || !isOn || (strategies.length > 0 && enabled.length === 0)
  if (isOff) return { percent: 0, isUpperBound: false }
  // SDKs turn a flag without strategies on for all users.
  if (enabled.length === 0 || enabled.map(toListStrategy).some(matchesAllUsers)) {
    return { percent: FULL_PERCENTAGE, isUpperBound: false }
  }
  const percent = Math.max(...enabled.map((one) => getRolloutPercentage(one) ?? FULL_PERCENTAGE))
  const hasConditions = enabled.some((one) => {
    const { rollout, segments, fields } = toListStrategy(one)
    return rollout === null || segments.length > 0 || fields.length > 0
  })
  return { percent, isUpperBound: percent > 0 && (hasConditions || enabled.length > 1) }
}
