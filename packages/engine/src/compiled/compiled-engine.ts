import type { Context } from '@burgee/protocol/context'
import type { Engine } from '../contract.ts'
import { type Evaluation, NO_EVALUATIONS } from '../rules/evaluation.ts'
import type { Explanation } from '../rules/explanation.ts'
import { createEvaluation } from '../rules/feature.ts'
import { DISABLED } from '../rules/reason.ts'
import type { TimeAndChance } from '../rules/request.ts'
import { CacheKeyBuilder } from './cache-key.ts'
import { Decider } from './decider.ts'
import type { Program } from './program.ts'

/** Engine that runs a compiled program. */
export class CompiledEngine implements Engine {
  readonly names: readonly string[]
  /** Compiled program. The next compilation reuses the parts of this program that have not changed. */
  readonly program: Program
  readonly #timeAndChance: TimeAndChance
  readonly #explainer: () => Pick<Engine, 'explain'>
  readonly #keys: CacheKeyBuilder
  #decider: Decider | undefined

  /** @param explainer creates an engine that can explain the same flags; called at most once, on first use */
  constructor(program: Program, timeAndChance: TimeAndChance, explainer: () => Pick<Engine, 'explain'>) {
    this.names = program.listed
    this.program = program
    this.#timeAndChance = timeAndChance
    this.#keys = new CacheKeyBuilder(program)
    this.#explainer = once(explainer)
  }

  indexOf(name: string): number {
    const index = this.program.indexes.get(name) ?? -1
    return index < this.names.length ? index : -1
  }

  getOutcomes(index: number): readonly Evaluation[] {
    return this.program.flags[index]?.outcomes ?? NO_EVALUATIONS
  }

  decideAll(context: Context): Uint16Array {
    const decider = this.#take()
    const outcomes = decider.decideAll(context)
    this.#decider = decider
    return outcomes
  }

  decideSome(indexes: ArrayLike<number>, context: Context): Uint16Array {
    const decider = this.#take()
    const outcomes = decider.decideSome(indexes, context)
    this.#decider = decider
    return outcomes
  }

  decideAt(index: number, context: Context): number {
    const decider = this.#take()
    decider.begin(context)
    const outcome = decider.getOutcome(index)
    this.#decider = decider
    return outcome
  }

  getReason(index: number, outcome: number): number {
    const decider = this.#take()
    const reason = index < this.names.length ? decider.getReason(index, outcome) : DISABLED
    this.#decider = decider
    return reason
  }

  getCacheKey(context: Context): string | undefined {
    const decider = this.#take()
    decider.begin(context)
    const key = this.#keys.getKey(decider)
    this.#decider = decider
    return key
  }

  evaluate(name: string, context: Context): Evaluation {
    const index = this.indexOf(name)
    if (index < 0) return createEvaluation(name, undefined, false)
    return this.getOutcomes(index)[this.decideAt(index, context)] as Evaluation
  }

  evaluateAll(context: Context): Evaluation[] {
    const outcomes = this.decideAll(context)
    return this.names.map((_, index) => this.getOutcomes(index)[outcomes[index] as number] as Evaluation)
  }

  explain(name: string, context: Context): Explanation {
    return this.#explainer().explain(name, context)
  }

  /**
   * Removes the decider from its field during a call, so that a custom strategy that calls the engine recursively gets
   * another decider.
   */
  #take(): Decider {
    const decider = this.#decider ?? new Decider(this.program, this.#timeAndChance)
    this.#decider = undefined
    return decider
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
