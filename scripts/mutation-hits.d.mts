/** Executed functions of one test file: in its tests, and while modules loaded. */
export interface HitRecord {
  readonly file: string
  readonly ms: number
  readonly hits: ReadonlySet<string>
  readonly loaded: ReadonlySet<string>
}

export function instrument(text: string, file: string): string
export function findFunction(
  text: string,
  file: string,
  mutant: { readonly start: number; readonly end: number },
): string | undefined
export function selectTests(records: readonly HitRecord[], id: string | undefined): HitRecord[]
