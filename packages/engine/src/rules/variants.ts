import type { Compilation } from './compilation.ts'
import { finishHash, type HashPrefix, startHash, VARIANT_SEED } from './hash.ts'
import { isRaw, type Raw, toFieldName, toText } from './raw-value.ts'
import type { Request } from './request.ts'
import type { Stickiness } from './stickiness.ts'

/** Details of how a variant was chosen: by a bucket or by an override, with all inputs. */
export interface VariantDecision {
  readonly source: 'strategy' | 'feature'
  /** Stickiness by which the bucket was chosen: a context field or `default`. */
  readonly stickiness: string
  /** Hashed text; undefined if chance decided. */
  readonly stickinessValue: string | undefined
  readonly groupId: string
  /** Bucket from 1 to `total`; undefined if an override decided or the sum of weights is not positive. */
  readonly bucket: number | undefined
  /** Sum of the weights. */
  readonly total: number
  /** Name of the variant; undefined if no variant was chosen. */
  readonly chosen: string | undefined
  /** Override that decided. Overrides take precedence over weights. */
  readonly override?: { readonly contextName: string; readonly value: string }
  /** Bucket range of each variant with a weight: above `from`, up to and including `to`. */
  readonly ranges: readonly { readonly name: string; readonly from: number; readonly to: number }[]
}

/** Compiled list of variants. */
export interface VariantChoice {
  /** Definitions that are objects, in order. */
  readonly definitions: readonly Raw[]
  readonly stickiness: Stickiness
  /** State of the hash after the constant text in front of the id. */
  readonly prefix: HashPrefix
  /** Sum of the weights. */
  readonly total: number
  /** Distribution by weight, used if no override matches. */
  readonly slices: readonly Slice[]
  /** True if weights and overrides can choose more than one variant. */
  readonly isVaried: boolean
  /** Numbers assigned to the context fields that overrides compare. */
  readonly overrideFields: readonly number[]
  /** Returns an index into `definitions`, or -1 for no variant. Draws at most one random number. */
  readonly choose: (request: Request) => number
  /** Returns the result of `choose`, together with the details. Draws a separate random number. */
  readonly explain: (request: Request) => { readonly index: number; readonly decision: VariantDecision }
}

/** Parameters that determine how a list of variants is distributed. */
export interface VariantRule {
  readonly source: 'strategy' | 'feature'
  /**
   * Prefix of the hashed text, so that the results of different flags do not correlate: the flag's name, or the
   * strategy's parameter `groupId`.
   */
  readonly groupId: string
  /** Name of the context field; undefined means `default`. */
  readonly stickiness: unknown
}

/** Range of buckets. `to` is the sum of this weight and all preceding weights. */
export interface Slice {
  readonly index: number
  readonly from: number
  readonly to: number
}

interface Override {
  readonly index: number
  readonly contextName: string
  readonly field: number
  readonly values: ReadonlySet<unknown>
}

const NONE = -1

/**
 * Compiles a list of variants. Overrides come first (even for variants without weight), then weights by murmur3 of
 * `groupId:id`.
 *
 * `default` stickiness uses the first non-empty string of userId, sessionId and remoteAddress. Any other `stickiness`
 * is a context field. A context without the required id gets a random variant. If the sum of weights is 0 or less, no
 * variant is chosen, not even by an override.
 *
 * @returns undefined if `list` is not an array or is empty. Never throws. Source: client-specification 08, 12, 16.
 */
export function compileVariants(list: unknown, rule: VariantRule, compilation: Compilation): VariantChoice | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined
  const definitions = list.filter(isRaw)
  const total = definitions.reduce((sum, { weight }) => sum + toWeight(weight), 0)
  const slices = buildSlices(definitions)
  const { profile, fields } = compilation
  const hasOverrides = rule.source === 'feature' || profile.hasStrategyOverrides
  const overrides = hasOverrides
    ? definitions.flatMap((definition, index) => parseOverrides(definition, index, compilation))
    : []
  const name = rule.stickiness === undefined ? 'default' : toFieldName(rule.stickiness)
  const stickiness = profile.variantStickiness(rule.stickiness, (field) => fields.getNumber(field))
  const prefix = startHash(profile.hashedText(`${rule.groupId}:`), VARIANT_SEED)

  // For a random choice, the hash is replaced with 32 random bits, so that fractional weight sums are distributed in
  // the same way.
  const bucketOf = (request: Request, id: string | undefined) =>
    ((id === undefined ? Math.floor(request.random() * 2 ** 32) : finishHash(prefix, profile.hashedText(id))) % total) +
    1
  const sliceOf = (bucket: number) => slices.find(({ to }) => !(to < bucket))?.index ?? NONE
  const overrideOf = (request: Request) => overrides.find(({ field, values }) => values.has(request.field(field)))

  const choose = (request: Request) => {
    if (total <= 0) return NONE
    const override = overrides.length > 0 ? overrideOf(request) : undefined
    return override ? override.index : sliceOf(bucketOf(request, stickiness.id(request)))
  }
  const explain = (request: Request) => {
    const override = total <= 0 ? undefined : overrideOf(request)
    const stickinessValue = stickiness.id(request)
    const bucket = override || total <= 0 ? undefined : bucketOf(request, stickinessValue)
    const index = override ? override.index : bucket === undefined ? NONE : sliceOf(bucket)
    const decision: VariantDecision = {
      source: rule.source,
      stickiness: name,
      stickinessValue,
      groupId: rule.groupId,
      bucket,
      total,
      chosen: findName(definitions[index]),
      ...(override && { override: toOverrideDecision(override, request) }),
      ranges: slices.map(({ index: i, from, to }) => ({ name: findName(definitions[i]) ?? '', from, to })),
    }
    return { index, decision }
  }
  const overrideFields = overrides.map(({ field }) => field)
  const isVaried = new Set([...slices, ...overrides].map(({ index }) => index)).size > 1
  return { definitions, stickiness, prefix, total, slices, isVaried, overrideFields, choose, explain }
}

/**
 * Converts a weight to a number. Null counts as 0. A value that cannot be converted makes the sum NaN, so that the
 * first variant with a weight gets every context.
 */
function toWeight(weight: unknown): number {
  if (weight === null) return 0
  return typeof weight === 'number' || typeof weight === 'boolean' ? Number(weight) : Number.NaN
}

function buildSlices(definitions: readonly Raw[]): Slice[] {
  const slices: Slice[] = []
  let from = 0
  for (const [index, { weight }] of definitions.entries()) {
    const to = from + toWeight(weight)
    if (weight !== 0) slices.push({ index, from, to })
    from = to
  }
  return slices
}

function parseOverrides(definition: Raw, index: number, compilation: Compilation): Override[] {
  const list = definition.overrides
  if (!Array.isArray(list)) return []
  return list.filter(isRaw).flatMap((override) => {
    const values = override.values
    if (!Array.isArray(values)) {
      compilation.warn(`an override of variant "${findName(definition) ?? ''}" has no list of values`)
      return []
    }
    const contextName = toFieldName(override.contextName)
    return [
      {
        index,
        contextName,
        field: compilation.fields.getNumber(contextName),
        values: new Set<unknown>(values.filter((value) => typeof value === 'string')),
      },
    ]
  })
}

function toOverrideDecision(
  { contextName, field }: Override,
  request: Request,
): NonNullable<VariantDecision['override']> {
  return { contextName, value: request.field(field) ?? '' }
}

function findName(definition: Raw | undefined): string | undefined {
  return definition && toText(definition.name)
}
