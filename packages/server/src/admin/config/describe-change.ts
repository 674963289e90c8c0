import type { ChangeAction, ChangePayload } from '@burgee/protocol/administration/change-request'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { CheckedChange } from '../change-requests/change-actions.ts'

/** Flag and environment in which a change is made, with the release, and with the on/off state before the change. */
interface ChangedPlace {
  readonly flag: string
  readonly environment: string
  /** Release template. */
  readonly template: string | undefined
  /** Milestone that is active after the change. */
  readonly milestone: string | undefined
  readonly isOn: boolean
}

type Describe<A extends ChangeAction> = (payload: ChangePayload<A>, place: ChangedPlace) => string

const SENTENCES: { readonly [A in ChangeAction]?: Describe<A> } = {
  updateEnabled: ({ enabled }) => (enabled ? 'Turns it on' : 'Turns it off'),
  addStrategy: (strategy) => `Adds the strategy ${describeStrategy(strategy)}`,
  updateStrategy: ({ allowEmpty, ...strategy }) =>
    `Changes a strategy to ${describeStrategy({ name: 'its type', ...strategy })}${allowEmpty === true ? ' without its former constraints or segments' : ''}`,
  deleteStrategy: () => 'Removes a strategy',
  reorderStrategy: () => 'Changes the order of strategies',
  patchVariant: ({ variants }) =>
    `Sets ${variants.length === 0 ? 'no variants' : variants.map(({ name }) => name).join(', ')}`,
  addReleasePlan: (_plan, { template, milestone }) =>
    `Adds the release plan "${template}"${milestone === undefined ? '' : ` at the milestone "${milestone}"`}`,
  deleteReleasePlan: () => 'Removes the release plan',
  startMilestone: (_plan, { milestone }) => `Starts the milestone "${milestone}"`,
}

/** Describes a change to a flag in an environment as one sentence. */
export function describeChange({ action, payload }: CheckedChange, place: ChangedPlace): string {
  const describe = SENTENCES[action] as Describe<ChangeAction> | undefined
  const text = describe?.(payload, place) ?? action
  const state = action === 'updateEnabled' ? '' : `, where it is ${place.isOn ? 'on' : 'off'}`
  return `${text} in ${place.environment}${state}.`
}

function describeStrategy({ name, parameters = {}, constraints = [], segments = [], disabled }: StrategyInput): string {
  const parts = [
    ...(parameters.rollout === undefined ? [] : [`${parameters.rollout} %`]),
    ...(constraints.length === 0 ? [] : [formatCount(constraints.length, 'constraint')]),
    ...(segments.length === 0 ? [] : [formatCount(segments.length, 'segment')]),
    ...(disabled === true ? ['disabled'] : []),
  ]
  return parts.length === 0 ? name : `${name} (${parts.join(', ')})`
}

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
