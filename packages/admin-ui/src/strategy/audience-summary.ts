import { BUILT_IN_STRATEGIES } from '@burgee/protocol/targeting/built-in-strategy'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import type { AUDIENCE_TEXTS } from './audience-texts.ts'

/** Part of one strategy that decides who it matches. */
export interface AudienceRule {
  readonly name: string
  /** Rollout percentage; null if the strategy selects users by another rule. */
  readonly rollout: number | null
  /** Names of its segments. */
  readonly segments: readonly string[]
  /** Context fields of its constraints. */
  readonly fields: readonly string[]
}

/** Part of a strategy that decides who it matches. */
export type AudienceStrategy = Pick<AdminStrategy, 'name' | 'parameters' | 'constraints' | 'disabled'> &
  Partial<Pick<AdminStrategy, 'segments'>>

/** Users who get a flag in an environment, once it is on there. */
export interface Audience {
  /** False if there are no strategies, not even disabled ones. */
  readonly hasStrategies: boolean
  readonly enabledCount: number
  /** True if an enabled strategy matches all users. */
  readonly isEverybody: boolean
  /** The enabled strategy if there is exactly one. */
  readonly only: AudienceRule | null
}

type Texts = (typeof AUDIENCE_TEXTS)['en']

const FULL = 100

/** Describes who gets a flag in a few words, such as "25% of DACH". Conditions after the first are counted. */
export function summarizeAudience({ audience: words }: Texts, audience: Audience): string {
  const { hasStrategies, enabledCount, isEverybody, only } = audience
  if (isEverybody || !hasStrategies) return words.everybody
  if (enabledCount === 0) return words.nobody
  return only ? summarizeRule(words, only) : words.rules(enabledCount)
}

function summarizeRule(words: Texts['audience'], { name, rollout, segments, fields }: AudienceRule): string {
  const [segment, ...otherSegments] = segments
  const [field] = fields
  const count = otherSegments.length + (segment === undefined ? Math.max(0, fields.length - 1) : fields.length)
  const more = count === 0 ? '' : ` +${count}`
  const isShare = rollout !== null && rollout < FULL
  const share = isShare ? words.share(rollout) : undefined
  if (segment !== undefined) return `${share === undefined ? segment : words.shareOf(share, segment)}${more}`
  if (field !== undefined) return `${share === undefined ? words.by(field) : words.shareBy(share, field)}${more}`
  if (share !== undefined) return share
  return rollout === null ? (words.kinds[name] ?? name) : words.everybody
}

/** Returns the audience of strategies as the flag page reads them. */
export function getAudience(strategies: readonly AudienceStrategy[], segmentName: (id: number) => string): Audience {
  const enabled = strategies.filter(({ disabled }) => !disabled)
  const rules = enabled.map((one) => toRule(one, segmentName))
  return {
    hasStrategies: strategies.length > 0,
    enabledCount: enabled.length,
    isEverybody: rules.some(matchesEverybody),
    only: rules.length === 1 ? (rules[0] ?? null) : null,
  }
}

/** Returns true if a rule matches all users. */
const matchesEverybody = ({ rollout, segments, fields }: AudienceRule): boolean =>
  rollout === FULL && segments.length === 0 && fields.length === 0

function toRule(strategy: AudienceStrategy, segmentName: (id: number) => string): AudienceRule {
  return {
    name: strategy.name,
    rollout: getRollout(strategy),
    segments: (strategy.segments ?? []).map(segmentName),
    fields: [
      ...new Set([...strategy.constraints.map(({ contextName }) => contextName), ...getRequiredField(strategy)]),
    ],
  }
}

/** Returns the stickiness field that users must have: with another field than the default, a rollout skips the others. */
function getRequiredField({ parameters: { stickiness = '' } }: AudienceStrategy): string[] {
  return ['', 'default', 'random'].includes(stickiness) ? [] : [stickiness]
}

/** Returns the rollout percentage of a strategy; null if it selects users by another rule. */
export function getRollout({ name, parameters }: Pick<AdminStrategy, 'name' | 'parameters'>): number | null {
  if (name === 'default') return FULL
  const known = BUILT_IN_STRATEGIES.find((one) => one.name === name)
  if (known === undefined || !('percentage' in known)) return null
  const share = Number(parameters[known.percentage] ?? 0)
  return Number.isNaN(share) ? 0 : Math.min(FULL, Math.max(0, share))
}
