import { compileProgram, compileReference } from './compile.ts'
import type { Compiled, CompileOptions, Engine, FeatureDocument } from './contract.ts'

export type { Compiled, CompileOptions, Engine, FeatureDocument } from './contract.ts'
export type { EvaluatedVariant, Evaluation, VariantSource } from './evaluation.ts'
export type { Explanation } from './explanation.ts'
export type { CompileWarning, CustomStrategy } from './scope.ts'

/**
 * Compiles a document so that flags can be evaluated without parsing anything again.
 *
 * A later flag of the same name replaces the earlier one and keeps its place. Never throws on a document that came
 * from JSON: what is malformed is never true, its flag alone suffers, and a warning names it.
 *
 * @param previous an engine compiled before; what is the same in both documents is taken from it
 */
export function compile(document: FeatureDocument, options: CompileOptions = {}, previous?: Engine): Compiled {
  const steps = compileSteps(document, options, previous)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/**
 * {@link compile} step by step: the caller may pause between any two, for as long as it likes, while the previous
 * engine stays in use. A step takes well below a millisecond, unless one flag or segment alone takes longer. The
 * document must not change in between.
 */
export function compileSteps(
  document: FeatureDocument,
  options: CompileOptions = {},
  previous?: Engine,
): Generator<void, Compiled> {
  return options.caches === false ? compileReference(document, options) : compileProgram(document, options, previous)
}

/** How {@link compileInSlices} shares the process with others. */
export interface Slices {
  /** How long to work before a pause, in milliseconds. */
  readonly sliceMs: number
  /** A clock that only goes forward, in milliseconds. */
  readonly now: () => number
  /** Lets others work. */
  readonly pause: () => Promise<unknown>
}

/** {@link compile}, with a pause whenever a slice of time is used up. The document must not change in between. */
export async function compileInSlices(
  document: FeatureDocument,
  options: CompileOptions,
  previous: Engine | undefined,
  { sliceMs, now, pause }: Slices,
): Promise<Compiled> {
  const steps = compileSteps(document, options, previous)
  let until = now() + sliceMs
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (now() < until) continue
    await pause()
    until = now() + sliceMs
  }
}
