import type { Context } from '@burgee/protocol/context'
import type { Engine } from './contract.ts'
import type { FindParent, Parent } from './dependencies.ts'
import type { Evaluation } from './evaluation.ts'
import { explainFeature, explainUnknown } from './explain.ts'
import type { Explanation } from './explanation.ts'
import { type CompiledFeature, decide, evaluationOf, OFF } from './feature.ts'
import { Request, type Slots, type World } from './request.ts'

/** The engine in its plainest form: every call walks the closures of its flags, nothing is remembered between calls. */
export class ReferenceEngine implements Engine {
  readonly names: readonly string[]
  readonly #features: readonly CompiledFeature[]
  readonly #indexes: ReadonlyMap<string, number>
  readonly #parents: readonly Parent[]
  readonly #slots: Slots
  readonly #world: World

  constructor(features: readonly CompiledFeature[], slots: Slots, world: World) {
    this.names = Object.freeze(features.map(({ name }) => name))
    this.#features = features
    this.#indexes = new Map(features.map(({ name }, index) => [name, index]))
    this.#slots = slots
    this.#world = world
    this.#parents = features.map((feature, index) => ({
      hasParents: feature.dependencies.length > 0,
      decide: (request) => this.#evaluationAt(index, request),
    }))
  }

  indexOf(name: string): number {
    return this.#indexes.get(name) ?? -1
  }

  outcomesOf(index: number): readonly Evaluation[] {
    return this.#features[index]?.outcomes ?? []
  }

  decideAll(context: Context): Uint16Array {
    const request = this.#request(context)
    return Uint16Array.from(this.#features, (_, index) => this.#decideAt(index, request))
  }

  decideSome(indexes: ArrayLike<number>, context: Context): Uint16Array {
    const request = this.#request(context)
    return Uint16Array.from(indexes, (index) => this.#decideAt(index, request))
  }

  decideAt(index: number, context: Context): number {
    return this.#decideAt(index, this.#request(context))
  }

  keyOf(): undefined {
    return undefined
  }

  evaluate(name: string, context: Context): Evaluation {
    const index = this.indexOf(name)
    if (index < 0) return evaluationOf(name, undefined, false)
    return this.#evaluationAt(index, this.#request(context))
  }

  evaluateAll(context: Context): Evaluation[] {
    const request = this.#request(context)
    return this.#features.map((_, index) => this.#evaluationAt(index, request))
  }

  explain(name: string, context: Context): Explanation {
    const feature = this.featureOf(name)
    if (!feature) return explainUnknown(name)
    return explainFeature(feature, this.#request(context), (wanted) => this.featureOf(wanted))
  }

  /** A flag as compiled; undefined when there is none of this name. */
  featureOf(name: string): CompiledFeature | undefined {
    return this.#features[this.indexOf(name)]
  }

  readonly #find: FindParent = (name) => this.#parents[this.indexOf(name)]

  #request(context: Context): Request {
    return new Request(context, this.#slots, this.#world, this.#features.length)
  }

  #decideAt(index: number, request: Request): number {
    const feature = this.#features[index]
    if (!feature) return OFF
    const outcome = request.decided[index] ?? decide(feature, request, this.#find)
    request.decided[index] = outcome
    return outcome
  }

  #evaluationAt(index: number, request: Request): Evaluation {
    const feature = this.#features[index] as CompiledFeature
    return feature.outcomes[this.#decideAt(index, request)] as Evaluation
  }
}
