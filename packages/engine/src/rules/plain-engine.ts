import type { Context } from '@burgee/protocol/context'
import type { Engine } from '../contract.ts'
import type { CompileWarning, DocumentCompilation } from './compilation.ts'
import type { Definitions } from './definitions.ts'
import type { FindParent } from './dependencies.ts'
import { type Evaluation, NO_EVALUATIONS } from './evaluation.ts'
import { explainFeature, explainUnknown } from './explain.ts'
import type { Explanation } from './explanation.ts'
import { type CompiledFeature, compileSafely, createEvaluation, decide, findVariantIfOn, OFF } from './feature.ts'
import { DISABLED, getReason } from './reason.ts'
import { type ContextFields, PlainRequest, type TimeAndChance } from './request.ts'
import { type CompiledSegment, compileSegment } from './strategy.ts'

/** Flags of a document, each compiled when it is first used. */
export class PlainFeatures {
  /** Names of all flags, with listed flags first. */
  readonly names: readonly string[]
  readonly listed: readonly string[]
  readonly fields: ContextFields
  /** Warnings of the flags compiled so far. */
  readonly warnings: CompileWarning[] = []
  /** Warnings of the segments compiled so far. */
  readonly segmentWarnings: CompileWarning[] = []
  readonly #definitions: Definitions
  readonly #compilation: DocumentCompilation
  readonly #indexes: ReadonlyMap<string, number>
  readonly #features: (CompiledFeature | undefined)[] = []
  readonly #segments = new Map<unknown, CompiledSegment>()

  constructor(definitions: Definitions, compilation: DocumentCompilation) {
    this.names = definitions.names
    this.listed = definitions.listed
    this.fields = compilation.fields
    this.#definitions = definitions
    this.#compilation = compilation
    this.#indexes = new Map(definitions.names.map((name, index) => [name, index]))
  }

  /** Returns the index of the flag with this name, or -1 if there is none. */
  indexOf(name: string): number {
    return this.#indexes.get(name) ?? -1
  }

  /** Returns the flag with this index, or undefined if there is none. */
  at(index: number): CompiledFeature | undefined {
    const name = this.names[index]
    const definition = this.#definitions.features[index]
    if (name === undefined || definition === undefined) return undefined
    const warn = (message: string) => this.warnings.push({ feature: name, message })
    const find = (id: unknown) => this.#segment(id)
    this.#features[index] ??= compileSafely(name, definition, find, { ...this.#compilation, flag: name, warn })
    return this.#features[index]
  }

  /** Compiles everything, so that all warnings exist. Each step compiles one segment or flag. */
  *compileAll(): Generator<void, void> {
    for (const id of this.#definitions.segments.keys()) {
      this.#segment(id)
      yield
    }
    for (let index = 0; index < this.names.length; index++) {
      this.at(index)
      yield
    }
  }

  #segment(id: unknown): CompiledSegment | undefined {
    const definition = this.#definitions.segments.get(id)
    const known = this.#segments.get(id)
    if (known || !definition) return known
    const warn = (message: string) => this.segmentWarnings.push({ feature: undefined, message })
    const compiled = compileSegment(definition, { ...this.#compilation, flag: '', warn })
    this.#segments.set(id, compiled)
    return compiled
  }
}

/** Simplest form of the engine. Every call runs the closures of its flags; nothing is cached for later calls. */
export class PlainEngine implements Engine {
  readonly names: readonly string[]
  readonly #features: PlainFeatures
  readonly #timeAndChance: TimeAndChance
  #last: PlainRequest | undefined

  constructor(features: PlainFeatures, timeAndChance: TimeAndChance) {
    this.names = features.listed
    this.#features = features
    this.#timeAndChance = timeAndChance
  }

  indexOf(name: string): number {
    const index = this.#features.indexOf(name)
    return index < this.names.length ? index : -1
  }

  getOutcomes(index: number): readonly Evaluation[] {
    return this.#features.at(index)?.outcomes ?? NO_EVALUATIONS
  }

  decideAll(context: Context): Uint16Array {
    const request = this.#request(context)
    return Uint16Array.from(this.names, (_, index) => this.#decideAt(index, request))
  }

  decideSome(indexes: ArrayLike<number>, context: Context): Uint16Array {
    const request = this.#request(context)
    return Uint16Array.from(indexes, (index) => this.#decideAt(index, request))
  }

  decideAt(index: number, context: Context): number {
    return this.#decideAt(index, this.#request(context))
  }

  getReason(index: number): number {
    const feature = this.#features.at(index)
    const request = this.#last ?? this.#request({})
    return feature === undefined ? DISABLED : getReason(feature, request, this.#findFor(request))
  }

  getCacheKey(): undefined {
    return undefined
  }

  evaluate(name: string, context: Context): Evaluation {
    const index = this.indexOf(name)
    if (index < 0) return createEvaluation(name, undefined, false)
    return this.#evaluationAt(index, this.#request(context))
  }

  evaluateAll(context: Context): Evaluation[] {
    const request = this.#request(context)
    return this.names.map((_, index) => this.#evaluationAt(index, request))
  }

  explain(name: string, context: Context): Explanation {
    const feature = this.#features.at(this.indexOf(name))
    if (!feature) return explainUnknown(name)
    return explainFeature(feature, this.#request(context), (wanted) => this.#findFeature(wanted))
  }

  #findFeature(name: string): CompiledFeature | undefined {
    return this.#features.at(this.#features.indexOf(name))
  }

  #findFor(request: PlainRequest): FindParent {
    return (name) => {
      const index = this.#features.indexOf(name)
      const feature = this.#features.at(index)
      if (!feature) return undefined
      return {
        hasParents: feature.dependencies.length > 0,
        decide: () => this.#evaluationAt(index, request),
        variantIfOn: (requested) => findVariantIfOn(feature, requested),
      }
    }
  }

  #request(context: Context): PlainRequest {
    this.#last = new PlainRequest(context, this.#features.fields, this.#timeAndChance)
    return this.#last
  }

  #decideAt(index: number, request: PlainRequest): number {
    const feature = this.#features.at(index)
    if (!feature) return OFF
    const outcome = request.decided[index] ?? decide(feature, request, this.#findFor(request))
    request.decided[index] = outcome
    return outcome
  }

  #evaluationAt(index: number, request: PlainRequest): Evaluation {
    const feature = this.#features.at(index) as CompiledFeature
    return feature.outcomes[this.#decideAt(index, request)] as Evaluation
  }
}
