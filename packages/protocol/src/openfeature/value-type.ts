import type { Feature, Payload, VariantDefinition } from '../feature.ts'

/** Value types that OpenFeature SDKs distinguish. A JSON payload has the type `object`, whatever it contains. */
export type ValueType = 'boolean' | 'string' | 'number' | 'object'

const BY_PAYLOAD: ReadonlyMap<string, ValueType> = new Map([
  ['string', 'string'],
  ['csv', 'string'],
  ['number', 'number'],
  ['json', 'object'],
])

/** Parts of a flag in one environment that determine the type of its value. */
export type TypedFlag = Pick<Feature, 'valueType' | 'variants'> & {
  readonly strategies?: readonly { readonly variants?: readonly VariantDefinition[] | undefined }[]
}

/**
 * Returns the type of a flag's value. The type depends only on the definition of the flag, so it is the same for all
 * contexts. If all variants of the flag and of its strategies have payloads of one type, returns that type. Otherwise,
 * returns the declared type, or boolean if none is declared.
 */
export function getValueType(flag: TypedFlag): ValueType {
  return findPayloadType(listVariants(flag)) ?? toDeclaredType(flag.valueType)
}

/**
 * Returns true if the values of the flag are the payloads of its variants. If false, the flag has values only if its
 * type is boolean.
 */
export function hasValues(flag: TypedFlag): boolean {
  return findPayloadType(listVariants(flag)) !== undefined
}

/** Returns all variants that the flag can have: its own variants and the variants of its strategies. */
export function listVariants({ variants, strategies }: TypedFlag): readonly VariantDefinition[] {
  const lists = [variants, ...toList(strategies).map((strategy) => strategy?.variants)]
  return lists.flatMap((list) => toList(list).filter((one) => typeof one === 'object' && one !== null))
}

/**
 * Returns the type that the payloads of all variants have. Undefined if there are no variants, if a variant has no
 * payload, or if the types differ.
 */
export function findPayloadType(variants: readonly VariantDefinition[]): ValueType | undefined {
  const [first, ...others] = variants.map(({ payload }) => findTypeOfPayload(payload))
  return first !== undefined && others.every((type) => type === first) ? first : undefined
}

/** Parses a number; returns undefined for any other text. */
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

/** Returns the list, or an empty list if the value is no list, because documents come from other servers as well. */
function toList<T>(list: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(list) ? list : []
}
