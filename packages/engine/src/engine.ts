import { compilePlain, compileProgram } from './compiled/compile.ts'
import type { Compiled, CompileOptions, Engine, FeatureDocument } from './contract.ts'

export type { Compiled, CompileOptions, Engine, FeatureDocument } from './contract.ts'
export type { CompileWarning, CustomStrategy } from './rules/compilation.ts'
export type { EvaluatedVariant, Evaluation, VariantSource } from './rules/evaluation.ts'
export type { Explanation } from './rules/explanation.ts'

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
  return options.caches === false ? compilePlain(document, options) : compileProgram(document, options, previous)
}
