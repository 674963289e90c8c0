import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { type Difference, differences, isTelling, shown } from '../difference/difference.ts'
import type { SentenceTexts } from '../strategy/strategy-sentence.ts'

/** State in words and as a value. */
export interface Told {
  readonly lines: readonly string[]
  readonly value: unknown
}

/**
 * Paths of properties that appear in the sentences about strategies and variants. Differences at other paths are listed
 * by path.
 */
const SAID =
  /^(title|disabled|segments|constraints\b.*|parameters\.(rollout|userIds|IPs|hostNames)|(variants\.)?.*\.weight)$/

/** Path of a variant's property. Variants are keyed by name, in a strategy below `variants`. */
const PLACE_OF_VARIANT = /^(?:variants\.)?(.+?)\.(weightType|stickiness|overrides|payload(?:\.type|\.value)?)$/

/**
 * Compares two states in words. Adds a line to both sides for each difference that the sentences do not cover, so that
 * unequal states never read alike.
 */
export function comparedStates(before: Told, after: Told, words: SentenceTexts): { before: string[]; after: string[] } {
  const areAlike = before.lines.join('\n') === after.lines.join('\n')
  const unsaid = differences(before.value, after.value).filter(
    (one) => isTelling(one) && (areAlike || !SAID.test(one.path)),
  )
  const side = ({ lines, value }: Told, which: 'before' | 'after'): string[] => {
    if (lines.length === 0) return []
    const here = unsaid.filter(({ path }) => !isOfNoVariant(path, value))
    return [...lines, ...here.map((one) => placeText(one, which, words))]
  }
  return { before: side(before, 'before'), after: side(after, 'after') }
}

/** Returns true if the path is a property of a variant that this state does not have. Such paths are not listed. */
function isOfNoVariant(path: string, value: unknown): boolean {
  const [, variant] = PLACE_OF_VARIANT.exec(path) ?? []
  if (variant === undefined || typeof value !== 'object' || value === null) return false
  const variants = path.startsWith('variants.') && 'variants' in value ? value.variants : value
  return typeof variants === 'object' && variants !== null && !Object.hasOwn(variants, variant)
}

/**
 * Describes one difference with its value, such as `Stickiness of blue: userId`. Paths without a translation appear as
 * they are.
 */
function placeText({ path, ...states }: Difference, which: 'before' | 'after', { sentence }: SentenceTexts): string {
  const words: Readonly<Record<string, unknown>> = sentence.places
  const worded = (key: string): string => (typeof words[key] === 'string' ? words[key] : key)
  const value = shown(states[which])
  if (path.startsWith('parameters.')) return `${worded(path.slice('parameters.'.length))}: ${value}`
  const [, variant, what] = PLACE_OF_VARIANT.exec(path) ?? []
  if (variant === undefined || what === undefined) return `${worded(path)}: ${value}`
  const said = what === 'weightType' ? worded(value) : value
  return `${sentence.places.ofVariant(variant, worded(what))}: ${said}`
}

/** Adds the server's defaults to a strategy. */
export function fullStrategy({ constraints = [], variants = [], ...strategy }: Partial<StrategyInput>): unknown {
  return {
    ...strategy,
    disabled: strategy.disabled === true,
    constraints: constraints.map(fullConstraint),
    variants: fullVariants(variants, strategy.parameters?.stickiness),
  }
}

const fullConstraint = (constraint: ConstraintInput) => ({
  ...constraint,
  inverted: constraint.inverted === true,
  caseInsensitive: constraint.caseInsensitive === true,
})

/** Returns variants by name with the server's defaults. `stickiness` is the stickiness of their strategy. */
export function fullVariants(variants: readonly VariantInput[], stickiness = 'default'): unknown {
  return Object.fromEntries(
    variants.map(({ name, ...rest }) => [name, { weightType: 'variable', stickiness, ...rest }]),
  )
}
