import type { Payload } from '@burgee/protocol/feature'

/** Variant that a context gets from a flag. Source: spec "Variant". */
export interface EvaluatedVariant {
  readonly name: string
  readonly enabled: boolean
  /** Payload of the definition, unchanged; absent if the definition has none. */
  readonly payload?: Payload
}

/** List of variants that a variant was chosen from. The key order of SDK responses depends on this list. */
export type VariantSource = 'strategy' | 'feature'

/** Result of one flag for one context. Results are frozen and shared between calls, so copy a result to change it. */
export interface Evaluation {
  readonly name: string
  readonly enabled: boolean
  /** {@link NO_VARIANT} if the flag is off or has no variant for this context. */
  readonly variant: EvaluatedVariant
  readonly variantSource: VariantSource | undefined
  /** Value of the definition, unchanged. */
  readonly impressionData: boolean | null | undefined
  /** False if the document contains no flag with this name. */
  readonly known: boolean
}

/** Variant that SDKs get from a flag without variants. Source: client-specification 08. */
export const NO_VARIANT: EvaluatedVariant = Object.freeze({ name: 'disabled', enabled: false })

/** Possible evaluations of a flag that does not exist. */
export const NO_EVALUATIONS: readonly Evaluation[] = Object.freeze([])
