import type { Explanation } from '@burgee/engine'

type Explained = Explanation['strategies'][number]
type Rollout = NonNullable<Explained['rollout']>

const RESULT = /,"result":(?:true|false)\}$/

/**
 * One strategy of a flag as JSON of a `PlaygroundStrategy`, for whatever context it is explained. What stays the same is
 * written once; the engine's own words for a strategy are the wire's, and what was stored by us is complete.
 */
export class StrategyText {
  readonly #parameters: unknown
  readonly #before: string
  readonly #link: string
  /** Constraints up to their results; undefined for one that says something else there. */
  readonly #constraints: readonly (string | undefined)[]
  readonly #rollout: RolloutText | undefined

  /** @param link where people edit it, as JSON */
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

  /** Whether it is the same strategy, explained for another context. */
  isOf({ parameters, constraints, rollout }: Explained): boolean {
    return (
      parameters === this.#parameters &&
      constraints.length === this.#constraints.length &&
      (rollout === undefined) === (this.#rollout === undefined)
    )
  }

  textOf(strategy: Explained): string {
    const { result, constraints, segments, variant, rollout } = strategy
    let asked = ''
    for (let index = 0; index < constraints.length; index += 1) {
      const [before, constraint] = [this.#constraints[index], constraints[index]]
      const text = before === undefined ? JSON.stringify(constraint) : `${before}${constraint?.result}}`
      asked += index === 0 ? text : `,${text}`
    }
    const came = typeof result === 'boolean' ? result : JSON.stringify(result)
    const own =
      variant === undefined
        ? ''
        : `,"variant":${JSON.stringify(variant)},"variants":${JSON.stringify(strategy.variants ?? [])}`
    const used = segments.length === 0 ? '[]' : JSON.stringify(segments)
    const decision = rollout === undefined ? '' : this.#rollout?.textOf(rollout)
    return `${this.#before}${came},"constraints":[${asked}],"segments":${used}${this.#link}${own}${decision}${variantDecision(strategy)}}`
  }
}

/** JSON knows neither undefined nor NaN. */
class RolloutText {
  readonly #before: string
  readonly #between: string
  readonly #behind: string
  #value: string | undefined
  #valueText = 'null'

  constructor({ stickiness, groupId, limit }: Rollout) {
    this.#before = `,"decision":{"stickiness":${JSON.stringify(stickiness)},"stickinessValue":`
    this.#between = `,"groupId":${JSON.stringify(groupId)},"bucket":`
    this.#behind = `,"limit":${JSON.stringify(limit)}}`
  }

  textOf({ stickinessValue, bucket }: Rollout): string {
    if (stickinessValue !== this.#value) {
      this.#value = stickinessValue
      this.#valueText = stickinessValue === undefined ? 'null' : JSON.stringify(stickinessValue)
    }
    const place = bucket === undefined ? 'null' : bucket === 'random' ? '"random"' : bucket
    return `${this.#before}${this.#valueText}${this.#between}${place}${this.#behind}`
  }
}

/** The reason of a variant as a last property, where there is one. */
export function variantDecision({ variantDecision: decision }: Pick<Explained, 'variantDecision'>): string {
  if (decision === undefined) return ''
  const { stickinessValue = null, bucket = null, chosen = null, ranges, ...rest } = decision
  return `,"variantDecision":${JSON.stringify({ ...rest, stickinessValue, bucket, chosen, ranges })}`
}
