import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { type Difference, differences, isTelling, shown } from '../difference/difference.ts'
import type { SentenceTexts } from '../strategy/strategy-sentence.ts'

/** A state in words, and as it is. */
export interface Told {
  readonly lines: readonly string[]
  readonly value: unknown
}

/** What sentences say of a strategy and of variants; all else is said by its name where it differs. */
const SAID =
  /^(title|disabled|segments|constraints\b.*|parameters\.(rollout|userIds|IPs|hostNames)|(variants\.)?.*\.weight)$/

/** Variants stand by their names, in a strategy below `variants`. */
const PLACE_OF_VARIANT = /^(?:variants\.)?(.+?)\.(weightType|stickiness|overrides|payload(?:\.type|\.value)?)$/

/**
 * Two states in words, with a line more on both sides for each place where they differ and the words do not say so: what
 * is not equal never reads as if it were.
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

/** Whether a place is one of a variant that a state does not have: nothing is said of what is not there. */
function isOfNoVariant(path: string, value: unknown): boolean {
  const [, variant] = PLACE_OF_VARIANT.exec(path) ?? []
  if (variant === undefined || typeof value !== 'object' || value === null) return false
  const variants = path.startsWith('variants.') && 'variants' in value ? value.variants : value
  return typeof variants === 'object' && variants !== null && !Object.hasOwn(variants, variant)
}

/** Where two states differ, and what is there: `Stickiness of blue: userId`. A place that has no word is said by its name. */
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

/** A strategy with what the server takes where something is left out. */
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

/** Variants by their names, with what the server takes where something is left out; `stickiness` is that of their strategy. */
export function fullVariants(variants: readonly VariantInput[], stickiness = 'default'): unknown {
  return Object.fromEntries(
    variants.map(({ name, ...rest }) => [name, { weightType: 'variable', stickiness, ...rest }]),
  )
}
