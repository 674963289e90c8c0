import type { Explanation } from '@burgee/engine'
import { flattenText } from '@burgee/kit/flat-text'

type Explained = Explanation['strategies'][number]
type Rollout = NonNullable<Explained['rollout']>

const RESULT = /,"result":(?:true|false)\}$/
/** Maximum number of constraint results that fit into the cache key, in addition to the result of the strategy. */
const MAX_ENCODED = 24

/**
 * JSON of one strategy as a `PlaygroundStrategy`, for any context. Constant parts are serialized once. The engine
 * already uses the property names of the wire format, and stored strategies are complete.
 */
export class StrategyText {
  readonly #parameters: unknown
  readonly #before: string
  readonly #link: string
  /**
   * Serialized constraints, each without its result at the end; undefined for a constraint that does not end with its
   * result.
   */
  readonly #constraints: readonly (string | undefined)[]
  readonly #rollout: RolloutText | undefined
  /** Cached texts up to the edit link, keyed by the results that they contain. */
  readonly #beginnings = new Map<number, string>()

  /** @param link returns the edit link of a strategy id, as JSON */
  constructor(strategy: Explained, link: (id: string) => string) {
    const { name, id = '', title, disabled, parameters, constraints, rollout } = strategy
    const called = title === undefined ? '' : `,"title":${JSON.stringify(title)}`
    this.#parameters = parameters
    this.#before = `{"name":${JSON.stringify(name)},"id":${JSON.stringify(id)}${called},"disabled":${disabled},"parameters":${JSON.stringify(parameters)},"result":`
    this.#link = `,"links":{"edit":${link(id)}}`
    this.#rollout = rollout && new RolloutText(rollout)
    this.#constraints = constraints.map((constraint) => {
      const text = JSON.stringify(constraint)
      return RESULT.test(text) ? `${text.replace(RESULT, '')},"result":` : undefined
    })
  }

  /** Returns true if the explanation is for the same strategy, in any context. */
  isSameStrategy({ parameters, constraints, rollout }: Explained): boolean {
    return (
      parameters === this.#parameters &&
      constraints.length === this.#constraints.length &&
      (rollout === undefined) === (this.#rollout === undefined)
    )
  }

  format(strategy: Explained): string {
    const { variant, rollout } = strategy
    const own =
      variant === undefined
        ? ''
        : `,"variant":${JSON.stringify(variant)},"variants":${JSON.stringify(strategy.variants ?? [])}`
    const decision = rollout === undefined ? '' : this.#rollout?.format(rollout)
    return `${this.#getBeginning(strategy)}${own}${decision}${formatVariantDecision(strategy)}}`
  }

  #getBeginning(strategy: Explained): string {
    const number = encodeResults(strategy)
    if (number === undefined) return this.#beginning(strategy)
    const text = this.#beginnings.get(number) ?? flattenText(this.#beginning(strategy))
    this.#beginnings.set(number, text)
    return text
  }

  #beginning({ result, constraints, segments }: Explained): string {
    const requested = constraints.map((constraint, index) => {
      const before = this.#constraints[index]
      return before === undefined ? JSON.stringify(constraint) : `${before}${constraint.result}}`
    })
    const came = typeof result === 'boolean' ? result : JSON.stringify(result)
    const used = JSON.stringify(segments)
    return `${this.#before}${came},"constraints":[${requested.join()}],"segments":${used}${this.#link}`
  }
}

/**
 * Encodes the results of a strategy and its constraints as a number; undefined if the text up to the edit link depends
 * on anything else.
 */
function encodeResults({ result, constraints, segments }: Explained): number | undefined {
  if (typeof result !== 'boolean' || segments.length > 0 || constraints.length > MAX_ENCODED) return undefined
  let number = result ? 1 : 0
  for (const constraint of constraints) number = number * 2 + (constraint.result ? 1 : 0)
  return number
}

/** Serializer for a rollout decision, which can contain undefined and NaN, unlike JSON. */
class RolloutText {
  readonly #before: string
  readonly #between: string
  readonly #behind: string
  #value: string | undefined
  #valueText = 'null'

  constructor({ stickiness, groupId, limit }: Rollout) {
    this.#before = flattenText(`,"decision":{"stickiness":${JSON.stringify(stickiness)},"stickinessValue":`)
    this.#between = flattenText(`,"groupId":${JSON.stringify(groupId)},"bucket":`)
    this.#behind = flattenText(`,"limit":${JSON.stringify(limit)}}`)
  }

  format({ stickinessValue, bucket }: Rollout): string {
    if (stickinessValue !== this.#value) {
      this.#value = stickinessValue
      this.#valueText = stickinessValue === undefined ? 'null' : JSON.stringify(stickinessValue)
    }
    const place = bucket === undefined ? 'null' : bucket === 'random' ? '"random"' : bucket
    return `${this.#before}${this.#valueText}${this.#between}${place}${this.#behind}`
  }
}

/** Serializes the variant decision as the last property, if there is a decision. */
export function formatVariantDecision({ variantDecision: decision }: Pick<Explained, 'variantDecision'>): string {
  if (decision === undefined) return ''
  const { stickinessValue = null, bucket = null, chosen = null, ranges, ...rest } = decision
  return `,"variantDecision":${JSON.stringify({ ...rest, stickinessValue, bucket, chosen, ranges })}`
}
