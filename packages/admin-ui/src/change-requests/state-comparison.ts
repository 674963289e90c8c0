import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { type Difference, findDifferences, formatValue, isMeaningful } from '../diff/diff.ts'
import type { SentenceTexts } from '../strategy/strategy-sentence.ts'

/** State of an object, as a description in words and as a value. */
export interface DescribedState {
  readonly lines: readonly string[]
  readonly value: unknown
}

/**
 * Matches the paths of properties that the sentences about strategies and variants already mention. Differences at
 * other paths are listed separately.
 */
const DESCRIBED_PATHS =
  /^(title|disabled|segments|constraints\b.*|parameters\.(rollout|userIds|IPs|hostNames)|(variants\.)?.*\.weight)$/

/**
 * Matches the path of a variant's property. Variants of flags are keyed by name; those of a strategy are below
 * `variants`.
 */
const VARIANT_PROPERTY_PATH = /^(?:variants\.)?(.+?)\.(weightType|stickiness|overrides|payload(?:\.type|\.value)?)$/

/**
 * Compares two states in words. For each difference that the sentences do not mention, adds a line to the descriptions
 * of both sides. As a result, unequal states always have different descriptions.
 */
export function compareStates(
  before: DescribedState,
  after: DescribedState,
  words: SentenceTexts,
): { before: string[]; after: string[] } {
  const areAlike = before.lines.join('\n') === after.lines.join('\n')
  const unsaid = findDifferences(before.value, after.value).filter(
    (one) => isMeaningful(one) && (areAlike || !DESCRIBED_PATHS.test(one.path)),
  )
  const side = ({ lines, value }: DescribedState, which: 'before' | 'after'): string[] => {
    if (lines.length === 0) return []
    const here = unsaid.filter(({ path }) => !isOfMissingVariant(path, value))
    return [...lines, ...here.map((one) => describeDifference(one, which, words))]
  }
  return { before: side(before, 'before'), after: side(after, 'after') }
}

/**
 * Returns true if the path belongs to a variant that does not exist in this state. Properties of missing variants are
 * not listed.
 */
function isOfMissingVariant(path: string, value: unknown): boolean {
  const [, variant] = VARIANT_PROPERTY_PATH.exec(path) ?? []
  if (variant === undefined || typeof value !== 'object' || value === null) return false
  const variants = path.startsWith('variants.') && 'variants' in value ? value.variants : value
  return typeof variants === 'object' && variants !== null && !Object.hasOwn(variants, variant)
}

/**
 * Describes one difference with its value, such as `Stickiness of blue: userId`. A path without a translation is shown
 * as it is.
 */
function describeDifference(
  { path, ...states }: Difference,
  which: 'before' | 'after',
  { sentence }: SentenceTexts,
): string {
  const words: Readonly<Record<string, unknown>> = sentence.places
  const worded = (key: string): string => (typeof words[key] === 'string' ? words[key] : key)
  const value = formatValue(states[which])
  if (path.startsWith('parameters.')) return `${worded(path.slice('parameters.'.length))}: ${value}`
  const [, variant, what] = VARIANT_PROPERTY_PATH.exec(path) ?? []
  if (variant === undefined || what === undefined) return `${worded(path)}: ${value}`
  const text = what === 'weightType' ? worded(value) : value
  return `${sentence.places.ofVariant(variant, worded(what))}: ${text}`
}

/** Adds the server's defaults to a strategy. */
export function withStrategyDefaults({
  constraints = [],
  variants = [],
  ...strategy
}: Partial<StrategyInput>): unknown {
  return {
    ...strategy,
    disabled: strategy.disabled === true,
    constraints: constraints.map(withConstraintDefaults),
    variants: withVariantDefaults(variants, strategy.parameters?.stickiness),
  }
}

const withConstraintDefaults = (constraint: ConstraintInput) => ({
  ...constraint,
  inverted: constraint.inverted === true,
  caseInsensitive: constraint.caseInsensitive === true,
})

/**
 * Returns variants with the server's defaults, keyed by name. `stickiness` is the stickiness of the strategy that the
 * variants belong to.
 */
export function withVariantDefaults(variants: readonly VariantInput[], stickiness = 'default'): unknown {
  return Object.fromEntries(
    variants.map(({ name, ...rest }) => [name, { weightType: 'variable', stickiness, ...rest }]),
  )
}
