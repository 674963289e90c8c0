import type { Feature, Payload, VariantDefinition } from '../feature.ts'

/** What OpenFeature's SDKs ask a flag for. A JSON payload is an object there, whatever it holds. */
export type ValueType = 'boolean' | 'string' | 'number' | 'object'

const BY_PAYLOAD: ReadonlyMap<string, ValueType> = new Map([
  ['string', 'string'],
  ['csv', 'string'],
  ['number', 'number'],
  ['json', 'object'],
])

/** What a flag is of in one environment: the parts of it that say so. */
export type TypedFlag = Pick<Feature, 'valueType' | 'variants'> & {
  readonly strategies?: readonly { readonly variants?: readonly VariantDefinition[] | undefined }[]
}

/**
 * The type of a flag's value, by its definition alone, so that it is the same for every context: that of the payloads,
 * where all variants of the flag and of its strategies have one of the same type; else the one that it was declared
 * with; else boolean.
 */
export function valueTypeOf(flag: TypedFlag): ValueType {
  return payloadType(variantsOf(flag)) ?? declaredType(flag.valueType)
}

/** Whether the values of a flag are in its variants. Where they are not and it is not boolean, it has none. */
export function hasValues(flag: TypedFlag): boolean {
  return payloadType(variantsOf(flag)) !== undefined
}

/** Every variant that somebody could get: those of the flag, and those of its strategies. */
export function variantsOf({ variants, strategies }: TypedFlag): readonly VariantDefinition[] {
  const lists = [variants, ...listOf(strategies).map((strategy) => strategy?.variants)]
  return lists.flatMap((list) => listOf(list).filter((one) => typeof one === 'object' && one !== null))
}

/** The one type of the payloads of variants; undefined where some have none, or another one, or where there are no variants. */
export function payloadType(variants: readonly VariantDefinition[]): ValueType | undefined {
  const [first, ...others] = variants.map(({ payload }) => typeOfPayload(payload))
  return first !== undefined && others.every((type) => type === first) ? first : undefined
}

/** The number that a text is; undefined for what is none. */
export function numberOfText(text: unknown): number | undefined {
  if (typeof text !== 'string' || text.trim() === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

function typeOfPayload(payload: Payload | null | undefined): ValueType | undefined {
  return BY_PAYLOAD.get(payload?.type ?? '')
}

function declaredType(declared: unknown): ValueType {
  if (declared === 'string' || declared === 'object') return declared
  return declared === 'integer' || declared === 'float' ? 'number' : 'boolean'
}

/** Documents may come from anywhere. */
function listOf<T>(list: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(list) ? list : []
}
