import { ROLLOUT_SEED, VARIANT_SEED } from '@burgee/engine/rules/hash'
import { isObject } from '@burgee/kit/input/is-object'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'

type Raw = Readonly<Record<string, unknown>>

/** Boundary between two buckets. Below and above the boundary, the result differs. */
export interface BucketBound {
  readonly groupId: string
  readonly hashSeed: number
  readonly buckets: number
  /** Last bucket below the boundary. */
  readonly bound: number
}

/**
 * Inputs of one strategy: its constraints, the constraints of its segments, and the bucket boundaries of its sticky
 * field.
 */
export interface Rule {
  readonly constraints: readonly Raw[]
  readonly stickyField: string
  readonly bounds: readonly BucketBound[]
}

/** All rules of a flag, and its parents. */
export interface FlagRules {
  readonly rules: readonly Rule[]
  readonly parents: readonly string[]
}

const PERCENT = 100
const USER = 'userId'
/** Stickiness values that do not name a context field. */
const CALLERS = new Set(['', 'default', 'random'])

/** Returns the rules of every flag of a document, by name. */
export function indexRules({ features, segments }: FeatureDocument): Map<string, FlagRules> {
  const byId = new Map(segments.map((segment) => [segment.id, segment]))
  return new Map(
    features.map((flag) => {
      const strategies = toObjects(flag.strategies)
      const own = listVariantBounds(flag.variants, flag.name)
      const rules = strategies.map((strategy): Rule => {
        const ids: unknown[] = Array.isArray(strategy.segments) ? strategy.segments : []
        const shared = ids.flatMap((id) => toObjects(byId.get(Number(id))?.constraints))
        return {
          ...toBuckets(strategy, own),
          constraints: [...toObjects(strategy.constraints), ...toListConstraints(strategy), ...shared],
        }
      })
      const parents = toObjects(flag.dependencies).map(({ feature }) => String(feature))
      const bare: Rule = { constraints: [], stickyField: USER, bounds: own }
      return [flag.name, { rules: rules.length === 0 ? [bare] : rules, parents }]
    }),
  )
}

/** Converts the listed users of `userWithId` and the listed addresses of `remoteAddress` strategies to constraints. */
function toListConstraints({ name, parameters }: Raw): Raw[] {
  if (!isObject(parameters)) return []
  const list = (value: unknown) => (typeof value === 'string' ? value.split(',').map((one) => one.trim()) : [])
  if (name === 'userWithId') return [{ contextName: USER, operator: 'IN', values: list(parameters.userIds) }]
  if (name !== 'remoteAddress') return []
  return [{ contextName: 'remoteAddress', operator: 'IN_CIDR', values: list(parameters.IPs) }]
}

function toBuckets(strategy: Raw, ofFlag: readonly BucketBound[]): Pick<Rule, 'stickyField' | 'bounds'> {
  const parameters = isObject(strategy.parameters) ? strategy.parameters : {}
  const groupId = String(parameters.groupId ?? '')
  const share = Number(parameters.rollout ?? parameters.percentage ?? PERCENT)
  const rollout = { groupId, hashSeed: ROLLOUT_SEED, buckets: PERCENT, bound: Math.floor(share) }
  const variants = listVariantBounds(strategy.variants, groupId)
  const sticky = String(parameters.stickiness ?? '')
  const field = strategy.name === 'gradualRolloutSessionId' ? 'sessionId' : CALLERS.has(sticky) ? USER : sticky
  const bounds = [...(share < PERCENT ? [rollout] : []), ...(variants.length > 0 ? variants : ofFlag)]
  return { stickyField: field, bounds }
}

function listVariantBounds(variants: unknown, groupId: string): BucketBound[] {
  const weights = toObjects(variants).map(({ weight }) => Number(weight))
  const buckets = weights.reduce((sum, weight) => sum + weight, 0)
  if (!(buckets > 0)) return []
  let bound = 0
  return weights.map((weight) => {
    bound += weight
    return { groupId, hashSeed: VARIANT_SEED, buckets, bound }
  })
}

function toObjects(list: unknown): Raw[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
