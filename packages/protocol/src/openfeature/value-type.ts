import type { Feature, Payload, VariantDefinition } from '../feature.ts'

/** Value types of OpenFeature SDKs. A JSON payload is an `object`, regardless of its content. */
export type ValueType = 'boolean' | 'string' | 'number' | 'object'

const BY_PAYLOAD: ReadonlyMap<string, ValueType> = new Map([
  ['string', 'string'],
  ['csv', 'string'],
  ['number', 'number'],
  ['json', 'object'],
])

/** Parts of a flag in one environment that determine its type. */
export type TypedFlag = Pick<Feature, 'valueType' | 'variants'> & {
  readonly strategies?: readonly { readonly variants?: readonly VariantDefinition[] | undefined }[]
}

/**
 * Returns the type of a flag's value. The type depends only on the definition, so that it is the same for all contexts.
 * If all variants of the flag and its strategies have payloads of one type, returns that type. Otherwise returns the
 * declared type, or else boolean.
 */
export function getValueType(flag: TypedFlag): ValueType {
  return findPayloadType(listVariants(flag)) ?? toDeclaredType(flag.valueType)
}

/**
 * Returns true if the payloads of the variants are the values of the flag. Otherwise, the flag has values only if its
 * type is boolean.
 */
export function hasValues(flag: TypedFlag): boolean {
  return findPayloadType(listVariants(flag)) !== undefined
}

/** Returns all possible variants: variants of the flag and variants of its strategies. */
export function listVariants({ variants, strategies }: TypedFlag): readonly VariantDefinition[] {
  const lists = [variants, ...toList(strategies).map((strategy) => strategy?.variants)]
  return lists.flatMap((list) => toList(list).filter((one) => typeof one === 'object' && one !== null))
}

/**
 * Returns the common payload type of the variants. Undefined if there are no variants, if a variant has no payload, or
 * if the types differ.
 */
export function findPayloadType(variants: readonly VariantDefinition[]): ValueType | undefined {
  const [first, ...others] = variants.map(({ payload }) => findTypeOfPayload(payload))
  return first !== undefined && others.every((type) => type === first) ? first : undefined
}

/** Parses a number; undefined for any other text. */
export function parseNumber(text: unknown): number | undefined {
  if (typeof text !== 'string' || text.trim() === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

function findTypeOfPayload(payload: Payload | null | undefined): ValueType | undefined {
  return BY_PAYLOAD.get(payload?.type ?? '')
}

function toDeclaredType(declared: unknown): ValueType {
  if (declared === 'string' || declared === 'object') return declared
  return declared === 'integer' || declared === 'float' ? 'number' : 'boolean'
}

/** Returns an empty list for a value that is not a list, because documents can come from other servers. */
function toList<T>(list: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(list) ? list : []
}
