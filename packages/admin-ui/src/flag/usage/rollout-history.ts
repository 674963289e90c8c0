import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { Event, EventType } from '@burgee/protocol/event'
import {
  FULL_PERCENTAGE,
  getRolloutPercentage,
  matchesAllUsers,
  toListStrategy,
} from '@burgee/protocol/targeting/audience'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'

/** Percentage of users who get a flag in an environment. */
export interface Share {
  readonly percent: number
  /** True if the actual percentage may be lower, because the strategies have conditions. */
  readonly isUpperBound: boolean
}

/** Change to a flag that affects an environment, with the percentage of users after the change. */
export interface RolloutChange {
  readonly at: number
  readonly event: Event
  readonly share: Share
}

/** Percentage of users over time in one environment. */
export interface RolloutHistory {
  /** Percentage before the first change. */
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

/** Functions that reconstruct the state before an event from the state after it, keyed by event type. */
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
 * Returns the percentage of users over time in an environment, derived from a flag's current state and its events
 * (newest first). The history starts with the oldest event, or with the latest creation of a flag with this name.
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
  // SDKs evaluate a flag without strategies as on for all users.
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
