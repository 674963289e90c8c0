import {
  FULL_PERCENTAGE,
  type MatchingStrategy,
  matchesAllUsers,
  toListStrategy,
} from '@burgee/protocol/targeting/audience'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import type { AUDIENCE_TEXTS } from './audience-texts.ts'

/** Properties of a single strategy that decide which users match. */
export interface AudienceRule {
  readonly name: string
  /** Rollout percentage; null if the strategy does not select users by percentage. */
  readonly rollout: number | null
  /** Names of the strategy's segments. */
  readonly segments: readonly string[]
  /** Context fields that the strategy's constraints use. */
  readonly fields: readonly string[]
}

/** Properties of a flag's strategies that decide which users match. */
export type AudienceStrategy = MatchingStrategy & Pick<AdminStrategy, 'disabled'>

/** Users who get a flag in an environment while it is on. */
export interface Audience {
  /** False if there are no strategies at all, not even disabled ones. */
  readonly hasStrategies: boolean
  readonly enabledCount: number
  /** True if an enabled strategy matches all users. */
  readonly isEverybody: boolean
  /** The enabled strategy if there is exactly one. */
  readonly only: AudienceRule | null
}

type Texts = (typeof AUDIENCE_TEXTS)['en']

/**
 * Describes who gets a flag in a few words, such as "25% of DACH". The text names only the first condition, and the
 * number of further ones.
 */
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
  const isShare = rollout !== null && rollout < FULL_PERCENTAGE
  const share = isShare ? words.share(rollout) : undefined
  if (segment !== undefined) return `${share === undefined ? segment : words.shareOf(share, segment)}${more}`
  if (field !== undefined) return `${share === undefined ? words.by(field) : words.shareBy(share, field)}${more}`
  if (share !== undefined) return share
  return rollout === null ? (words.kinds[name] ?? name) : words.everybody
}

/** Summarizes the audience of strategies, given in the form that the flag page uses. */
export function getAudience(strategies: readonly AudienceStrategy[], segmentName: (id: number) => string): Audience {
  const enabled = strategies.filter(({ disabled }) => !disabled)
  const listed = enabled.map(toListStrategy)
  const [first] = listed
  return {
    hasStrategies: strategies.length > 0,
    enabledCount: enabled.length,
    isEverybody: listed.some(matchesAllUsers),
    only: listed.length === 1 && first ? { ...first, segments: first.segments.map(segmentName) } : null,
  }
}
