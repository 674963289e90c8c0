/** Sources and tests of an area. */
export interface MutationArea {
  readonly sources: readonly string[]
  readonly tests: readonly string[]
}

export const AREAS: Readonly<Record<string, MutationArea>>
