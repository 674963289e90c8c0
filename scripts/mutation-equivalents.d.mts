/** Mutant that changes nothing observable. */
export interface EquivalentMutant {
  readonly file: string
  /** Text of the source line, without indentation. */
  readonly line: string
  readonly from: string
  readonly to: string
  readonly why: string
}

export const EQUIVALENTS: readonly EquivalentMutant[]
export function findEquivalence(mutant: {
  readonly file: string
  readonly text: string
  readonly line: number
  readonly from: string
  readonly to: string
}): EquivalentMutant | undefined
