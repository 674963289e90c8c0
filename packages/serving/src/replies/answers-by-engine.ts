import type { Engine } from '@burgee/engine'
import { runAtOnce } from '@burgee/kit/slices'
import { type AnswerOptions, Answers } from './answers.ts'

/**
 * The answers of each engine, as long as there is the engine. Those made last are what the next ones follow, whether
 * their engine came into use or not.
 */
export class AnswersByEngine {
  readonly #options: AnswerOptions
  readonly #byEngine = new WeakMap<Engine, Answers>()
  #latest: Answers | undefined

  constructor(options: AnswerOptions = {}) {
    this.#options = options
  }

  /** The answers of an engine: those that were prepared, or else new ones, whose JSON is made when it is needed. */
  of(engine: Engine): Answers {
    const latest = this.#latest
    if (latest?.engine === engine) return latest
    return this.#byEngine.get(engine) ?? this.#keep(runAtOnce(Answers.build(engine, this.#options, latest)))
  }

  /**
   * Prepares the answers of an engine that is not in use yet, in steps of well below a millisecond. Others answer
   * meanwhile; nothing is left of a preparation that is not carried through.
   */
  *prepare(engine: Engine): Generator<void> {
    if (this.#byEngine.has(engine)) return
    const answers = yield* Answers.build(engine, this.#options, this.#latest)
    yield* answers.prepare()
    this.#keep(answers)
  }

  #keep(answers: Answers): Answers {
    this.#byEngine.set(answers.engine, answers)
    this.#latest = answers
    return answers
  }
}
