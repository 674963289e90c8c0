import type { Payload } from '@burgee/protocol/feature'

/** The variant a flag gives to one context. Source: spec "Variant". */
export interface EvaluatedVariant {
  readonly name: string
  readonly enabled: boolean
  /** The definition's payload, untouched; the key is absent when the definition has none. */
  readonly payload?: Payload
}

/** Which list a variant came from. SDK replies order their keys by it. */
export type VariantSource = 'strategy' | 'feature'

/** One flag decided for one context. Frozen and shared between calls: copy it to change it. */
export interface Evaluation {
  readonly name: string
  readonly enabled: boolean
  /** {@link NO_VARIANT} when the flag is off or has no variant for this context. */
  readonly variant: EvaluatedVariant
  readonly variantSource: VariantSource | undefined
  /** The definition's value as it is. */
  readonly impressionData: boolean | null | undefined
  /** False when the document has no flag of this name. */
  readonly known: boolean
}

/** What a flag without a variant answers. Source: client-specification 08. */
export const NO_VARIANT: EvaluatedVariant = Object.freeze({ name: 'disabled', enabled: false })

/** What a flag that does not exist can evaluate to. */
export const NO_EVALUATIONS: readonly Evaluation[] = Object.freeze([])
