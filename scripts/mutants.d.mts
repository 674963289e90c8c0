/** Small change of a source text that tests should notice. */
export interface Mutant {
  readonly line: number
  /** Range to replace. */
  readonly start: number
  readonly end: number
  readonly from: string
  readonly to: string
}

export function listMutants(text: string): Mutant[]
export function applyMutant(text: string, mutant: Pick<Mutant, 'start' | 'end' | 'to'>): string
export function createRandom(seed: number): () => number
export function drawSample<T>(items: readonly T[], count: number, random: () => number): T[]
