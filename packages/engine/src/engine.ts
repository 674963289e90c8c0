import { compilePlain, compileProgram } from './compiled/compile.ts'
import type { Compiled, CompileOptions, Engine, FeatureDocument } from './contract.ts'

export type { Compiled, CompileOptions, Engine, FeatureDocument } from './contract.ts'
export type { CompileWarning, CustomStrategy } from './rules/compilation.ts'
export type { EvaluatedVariant, Evaluation, VariantSource } from './rules/evaluation.ts'
export type { Explanation } from './rules/explanation.ts'

/**
 * Compiles a document into a form that can be evaluated without further parsing.
 *
 * A later flag of the same name replaces the earlier one and takes its position. Never throws for a document parsed
 * from JSON: a malformed part never matches, affects only its own flag, and is reported in a warning.
 *
 * @param previous engine from an earlier compilation; its unchanged parts are reused
 */
export function compile(document: FeatureDocument, options: CompileOptions = {}, previous?: Engine): Compiled {
  const steps = compileSteps(document, options, previous)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/**
 * Compiles like {@link compile}, but as a generator with small steps. The caller may pause between steps for any length
 * of time while the previous engine stays in use. A step takes well below a millisecond unless a single flag or segment
 * takes longer. The document must not change between steps.
 */
export function compileSteps(
  document: FeatureDocument,
  options: CompileOptions = {},
  previous?: Engine,
): Generator<void, Compiled> {
  return options.caches === false ? compilePlain(document, options) : compileProgram(document, options, previous)
}
