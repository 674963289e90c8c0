import type { Context } from '@burgee/protocol/context'
import { OFF, ON } from '../rules/feature.ts'
import { toBucket } from '../rules/hash.ts'
import { SearchBudget } from '../rules/pattern.ts'
import { TARGETING } from '../rules/reason.ts'
import { findField, getContextTime, type TimeAndChance } from '../rules/request.ts'
import { decideListed, decideTested } from './condition-rows.ts'
import { CHOICE, END, EVERY_REQUEST, HASH_SIZE, NO_OUTCOME, STRATEGY } from './encode-flag.ts'
import type { Program } from './program.ts'
import { DEPENDS_ON_REQUEST, walkReason } from './reasons.ts'
import { type CachingRequest, IS_LISTED, IS_NEGATED } from './registry.ts'
import { drawHash, hashAt, RequestIds } from './request-ids.ts'
import { decideRollouts, isWithinPercentage } from './rollout-percentage.ts'
import { decideVariants } from './variant-buckets.ts'

/**
 * Last epoch before a reset. Each request has an even number as its epoch; the odd number that follows marks a
 * condition as true. This limit keeps the epochs within V8's range of small integers.
 */
export const LAST_EPOCH = 2 ** 30
const ALL_EPOCHS = { first: 0, last: LAST_EPOCH }
/**
 * Number of spare entries for conditions that later compilations add to the shared registry while this engine is in
 * use.
 */
const SPARE_CONDITIONS = 1024

/**
 * Decides the flags of a program, one request at a time, in memory that is allocated once. A cached result is stamped
 * with the epoch of its request and becomes stale when the next request begins, so nothing needs clearing.
 */
export class Decider implements CachingRequest {
  context: Context = {}
  readonly searches = new SearchBudget()
  /** Outcomes by flag; complete after `decideAll`. */
  readonly outcomes: Uint16Array
  readonly #timeAndChance: TimeAndChance
  readonly #program: Program
  readonly #ids: RequestIds
  readonly #names: readonly string[]
  readonly #lastEpoch: number
  #epoch: number
  /** Result of each condition: the request's epoch if the condition was false, the epoch plus 1 if it was true. */
  readonly #memory: Int32Array
  readonly #fieldEpochs: Int32Array
  readonly #fields: (string | undefined)[]
  /** Epoch in which the entry of each flag in `outcomes` was written. `decideAll` does not update these epochs. */
  readonly #decided: Int32Array
  #timeEpoch = 0
  #time = 0
  /**
   * True if all dictionaries have been looked up for this request. From then on, conditions that are looked up in
   * dictionaries are false, except the conditions that the lookup has marked as true.
   */
  #isStamped = false
  #isForAll = false
  #some = new Uint16Array(16)

  /** @param epochs even numbers; after the request with the last epoch, all cached results are cleared */
  constructor(program: Program, timeAndChance: TimeAndChance, epochs = ALL_EPOCHS) {
    const { registry, names } = program
    this.#timeAndChance = timeAndChance
    this.#program = program
    this.#epoch = epochs.first
    this.#lastEpoch = epochs.last
    this.#ids = new RequestIds([...registry.stickiness], registry.compilation.profile.hashedText)
    this.#names = [...registry.compilation.fields.names]
    this.#memory = new Int32Array(registry.tests.length + SPARE_CONDITIONS)
    this.#fieldEpochs = new Int32Array(this.#names.length)
    this.#fields = this.#names.map(() => undefined)
    this.#decided = new Int32Array(names.length)
    this.outcomes = new Uint16Array(names.length)
  }

  /** Begins a request. */
  begin(context: Context): void {
    if (this.#epoch >= this.#lastEpoch) this.#forget()
    this.#epoch += 2
    this.#ids.begin(this.#epoch)
    this.context = context ?? {}
    this.searches.restart()
    this.#isStamped = false
    this.#isForAll = false
  }

  /** Decides all flags and returns the outcomes by flag index. */
  decideAll(context: Context): Uint16Array {
    this.begin(context)
    this.#stamp()
    const { constants, rows, others, children, starts } = this.#program
    const { outcomes } = this
    outcomes.set(constants)
    decideRollouts(rows.rollouts, outcomes, this.#ids, this)
    decideListed(rows.listed, outcomes, this.#memory, this.#epoch + 1)
    decideTested(rows.tested, outcomes, this)
    decideVariants(rows.variants, outcomes, this.#ids, this)
    for (let i = 0; i < others.length; i++) {
      const index = others[i] as number
      outcomes[index] = this.#walk(starts[index] as number)
    }
    this.#isForAll = true
    for (let i = 0; i < children.length; i++) {
      const index = children[i] as number
      outcomes[index] = this.#hasItsParents(index) ? this.#walk(starts[index] as number) : OFF
    }
    return outcomes
  }

  /** Decides the given flags and returns their outcomes in the order of `indexes`. */
  decideSome(indexes: ArrayLike<number>, context: Context): Uint16Array {
    this.begin(context)
    if (this.#some.length < indexes.length) this.#some = new Uint16Array(indexes.length)
    for (let i = 0; i < indexes.length; i++) this.#some[i] = this.getOutcome(indexes[i] as number)
    return this.#some
  }

  /** Returns the outcome of one flag in the current request. */
  getOutcome(index: number): number {
    const { starts, constants } = this.#program
    const start = starts[index]
    if (start === undefined) return OFF
    if (start < 0) return constants[index] as number
    if (this.#isForAll || this.#decided[index] === this.#epoch) return this.outcomes[index] as number
    const outcome = this.#hasItsParents(index) ? this.#walk(start) : OFF
    this.outcomes[index] = outcome
    this.#decided[index] = this.#epoch
    return outcome
  }

  /** Returns the reason for a flag's outcome in the current request, as an index into `REASONS`. */
  getReason(index: number, outcome: number): number {
    const { reasons, code, starts } = this.#program
    const known = reasons[2 * index + Number(outcome !== OFF)] as number
    if (known !== DEPENDS_ON_REQUEST) return known
    if (!this.#hasItsParents(index)) return TARGETING
    return walkReason(code, starts[index] as number, { ids: this.#ids, request: this })
  }

  field(field: number): string | undefined {
    if (this.#fieldEpochs[field] !== this.#epoch) {
      this.#fields[field] = findField(this.context, this.#names[field] ?? '')
      this.#fieldEpochs[field] = this.#epoch
    }
    return this.#fields[field]
  }

  now(): number {
    if (this.#timeEpoch !== this.#epoch) {
      this.#time = getContextTime(this.context, this.#timeAndChance)
      this.#timeEpoch = this.#epoch
    }
    return this.#time
  }

  random(): number {
    return this.#timeAndChance.random()
  }

  /** Returns the sticky id of the current request. `stickiness` is the number of the context field in the registry. */
  getId(stickiness: number): string | undefined {
    return this.#ids.getId(stickiness, this)
  }

  holds(ref: number): boolean {
    const remembered = this.#memory[ref >> 2] as number
    const isWanted = (ref & IS_NEGATED) === 0
    if (remembered === this.#epoch + 1) return isWanted
    if (remembered === this.#epoch || (this.#isStamped && (ref & IS_LISTED) !== 0)) return !isWanted
    return this.#ask(ref >> 2) === isWanted
  }

  /** Clears all cached results and restarts the epochs. */
  #forget(): void {
    this.#epoch = 0
    this.#timeEpoch = 0
    this.#memory.fill(0)
    this.#fieldEpochs.fill(0)
    this.#decided.fill(0)
    this.#ids.forget()
  }

  /**
   * Looks up each context field once in its dictionary, and marks every condition as true whose list contains the
   * field's value.
   */
  #stamp(): void {
    const { listedFields, registry } = this.#program
    for (const field of listedFields) {
      const text = this.field(field)
      const ids = text === undefined ? undefined : registry.dictionaries[field]?.get(text)
      if (ids) for (let i = 0; i < ids.length; i++) this.#memory[ids[i] as number] = this.#epoch + 1
    }
    this.#isStamped = true
  }

  #ask(id: number): boolean {
    const { tests, fields, dictionaries } = this.#program.registry
    const test = tests[id]
    const field = fields[id] as number
    const result = test ? test(this) : includesSorted(dictionaries[field]?.get(this.field(field) as string), id)
    this.#memory[id] = result ? this.#epoch + 1 : this.#epoch
    return result
  }

  #hasItsParents(index: number): boolean {
    const parents = this.#program.parents.get(index)
    if (!parents) return true
    for (const { index: parent, satisfiedBy, isMet } of parents) {
      const outcome = this.getOutcome(parent)
      if (!satisfiedBy[outcome] || isMet?.(this) === false) return false
      // the parent might be on, because a search was skipped
      if (outcome === OFF && this.searches.isIncomplete) return false
    }
    return true
  }

  /** Returns the outcome of a flag, computed from its code. Does not check the parents of the flag. */
  #walk(start: number): number {
    const { code } = this.#program
    for (let strategy = start + 1; code[strategy] !== END; strategy += code[strategy] as number) {
      let at = strategy + STRATEGY.refs
      const end = at + (code[strategy + STRATEGY.count] as number)
      while (at < end && this.holds(code[at] as number)) at++
      if (at < end) continue
      const percentage = code[at++] as number
      if (percentage !== EVERY_REQUEST) {
        if (!isWithinPercentage(percentage, code, at, this.#ids, this)) continue
        at += HASH_SIZE
      }
      const outcome = this.#choose(at)
      if (outcome !== NO_OUTCOME) return outcome
      const own = this.#choose(start + (code[start] as number))
      return own === NO_OUTCOME ? ON : own
    }
    return OFF
  }

  /** Returns the outcome of a variant choice, or {@link NO_OUTCOME}. */
  #choose(at: number): number {
    const { code, registry } = this.#program
    const kind = code[at]
    if (kind === CHOICE.none) return NO_OUTCOME
    if (kind === CHOICE.fixed) return code[at + 1] as number
    if (kind === CHOICE.asked) return registry.choosers[code[at + 1] as number]?.(this) ?? NO_OUTCOME
    const total = code[at + 1 + HASH_SIZE] as number
    const id = this.#ids.at(code[at + 1] as number, this)
    const hash = id.isThere ? hashAt(id, code, at + 1) : drawHash(this)
    const bucket = toBucket(hash, total)
    let pair = at + 3 + HASH_SIZE
    while ((code[pair] as number) <= bucket) pair += 2
    return code[pair + 1] as number
  }
}

/** Returns true if the ascending list contains the number. */
function includesSorted(list: readonly number[] | undefined, wanted: number): boolean {
  if (!list) return false
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] as number) < wanted) low = middle + 1
    else high = middle
  }
  return list[low] === wanted
}
