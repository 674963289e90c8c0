import type {
  Milestone,
  MilestoneInput,
  MilestoneStrategyInput,
  ReleaseTemplate,
  ReleaseTemplateInput,
} from '@burgee/protocol/administration/release-plan'
import { toAdminStrategy } from '../strategy/milestone-strategy.ts'
import {
  createDraft,
  isReady as isStrategyReady,
  type StrategyDraft,
  toSharedStrategyInput,
  toStrategyDraft,
} from '../strategy/strategy-draft.ts'
import { type Keyed, withKey } from '../ui/form/keyed-list.ts'

/** Milestone being edited. */
export interface MilestoneDraft {
  readonly name: string
  /** Number of minutes until the next milestone starts; null if it is started by hand. */
  readonly intervalMinutes: number | null
  readonly strategies: readonly Keyed<StrategyDraft>[]
}

/** Release template being edited. */
export interface TemplateDraft {
  readonly name: string
  readonly description: string
  readonly milestones: readonly Keyed<MilestoneDraft>[]
}

const DAY_MINUTES = 1440
/** Rollout percentages for the milestones of a new template. */
const FIRST_PERCENTAGES = [10, 50, 100]

/** Returns a gradual rollout with the given percentage. Each flag gets its own group id. */
export function createRollout(percent: number): StrategyDraft {
  const draft = createDraft('')
  return { ...draft, parameters: { ...draft.parameters, rollout: String(percent) } }
}

/** Returns a milestone with a gradual rollout. */
export const createMilestone = (percent: number, intervalMinutes: number | null): MilestoneDraft => ({
  name: `${percent}%`,
  intervalMinutes,
  strategies: [withKey(createRollout(percent))],
})

/** Returns a new template with three milestones, one day each. */
export const createTemplateDraft = (): TemplateDraft => ({
  name: '',
  description: '',
  milestones: FIRST_PERCENTAGES.map((percent, index) =>
    withKey(createMilestone(percent, index === FIRST_PERCENTAGES.length - 1 ? null : DAY_MINUTES)),
  ),
})

/** Converts a stored template to a draft. */
export const toTemplateDraft = ({ name, description, milestones }: ReleaseTemplate): TemplateDraft => ({
  name,
  description: description ?? '',
  milestones: milestones.map((milestone) => withKey(toMilestoneDraft(milestone))),
})

const toMilestoneDraft = ({ name, transitionCondition, strategies }: Milestone): MilestoneDraft => ({
  name,
  intervalMinutes: transitionCondition?.intervalMinutes ?? null,
  strategies: strategies.map((strategy) => withKey(toStrategyDraft(toAdminStrategy(strategy)))),
})

/** Converts a draft to a request body. The last milestone has no time, because no milestone follows it. */
export const toTemplateInput = ({ name, description, milestones }: TemplateDraft): ReleaseTemplateInput => ({
  name: name.trim(),
  description: description.trim(),
  milestones: milestones.map(({ value }, index) => toMilestoneInput(value, index === milestones.length - 1)),
})

function toMilestoneInput({ name, intervalMinutes, strategies }: MilestoneDraft, isLast: boolean): MilestoneInput {
  return {
    name: name.trim(),
    transitionCondition: isLast || intervalMinutes === null ? null : { intervalMinutes },
    strategies: strategies.map(({ value }) => toMilestoneStrategy(value)),
  }
}

function toMilestoneStrategy(draft: StrategyDraft): MilestoneStrategyInput {
  const { name, ...rest } = toSharedStrategyInput(draft)
  return { ...rest, strategyName: name }
}

/** Returns true if a template can be saved. A milestone needs a strategy, because the flag would be off otherwise. */
export const isReady = ({ name, milestones }: TemplateDraft): boolean =>
  name.trim() !== '' && milestones.length > 0 && milestones.every(({ value }) => isMilestoneReady(value))

const isMilestoneReady = ({ name, intervalMinutes, strategies }: MilestoneDraft): boolean =>
  name.trim() !== '' &&
  (intervalMinutes === null || intervalMinutes >= 1) &&
  strategies.length > 0 &&
  strategies.every(({ value }) => isStrategyReady(value))
