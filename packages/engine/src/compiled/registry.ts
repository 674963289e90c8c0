import type { DocumentCompilation, Test } from '../rules/compilation.ts'
import { type CompiledConstraint, MAX_LISTED_LENGTH, type Subject } from '../rules/constraints.ts'
import type { Request } from '../rules/request.ts'
import type { Stickiness } from '../rules/stickiness.ts'
import type { CompiledSegment } from '../rules/strategy.ts'

/** Request that caches the results of its conditions. */
export interface CachingRequest extends Request {
  /** Returns true if the condition holds. */
  holds(ref: number): boolean
}

/**
 * Flag bit of a condition reference. A reference is one integer: `id << 2`, plus {@link IS_LISTED} if the dictionary of
 * a field decides the condition, plus {@link IS_NEGATED} if the condition must be false.
 */
export const IS_LISTED = 2
/** See {@link IS_LISTED}. */
export const IS_NEGATED = 1

/**
 * Kinds of inputs on which a decision depends. An input is encoded as one integer: 8 times the number of the field,
 * stickiness or instant, plus the kind of the input.
 */
export const READS = { field: 0, id: 1, idOrChance: 2, instant: 3, userId: 4, remoteAddress: 5, anything: 6 }
/** Factor in the encoding of an input, which leaves room for the kind of the input. */
export const READ_KINDS = 8

/** Minimum number of conditions and texts that must be added to a registry before it can count as oversized. */
const MIN_GROWTH = 10_000

/**
 * Deduplicated conditions of a document's flags, and all other data to which compiled flags refer by number. Data is
 * only appended, so that successive engines can share a registry.
 */
export class Registry {
  /** Shared inputs of the compilation. */
  readonly compilation: DocumentCompilation
  /**
   * Tests by condition id, without negation. Undefined for a condition that a dictionary decides, that is, whether a
   * field is in a short list of texts.
   */
  readonly tests: (Test | undefined)[] = []
  /** Context field of a condition that a dictionary decides, by condition id; -1 for other conditions. */
  readonly fields: number[] = []
  /** Inputs on which a condition depends, by condition id. */
  readonly reads: (readonly number[])[] = []
  /**
   * Dictionary of each field. A dictionary maps a text to the ids of the conditions whose lists contain that text, in
   * ascending order.
   */
  readonly dictionaries: (Map<string, number[]> | undefined)[] = []
  /** Sources of sticky ids for rollouts and variants. */
  readonly stickiness: Stickiness[] = []
  /**
   * Variant lists whose choice needs more than arithmetic on a hash. Each chooser returns an outcome, or -1 for none.
   */
  readonly choosers: ((request: Request) => number)[] = []
  /** Instants that date constraints compare with the time, in milliseconds. */
  readonly instants: number[] = []
  readonly #ids = new Map<string, number>()
  readonly #stickinessNumbers = new Map<string, number>()
  readonly #instantIndexes = new Map<number, number>()
  readonly #segments = new Map<CompiledSegment, number | undefined>()
  #size = 0
  #sizeAtFirst = 0

  constructor(compilation: DocumentCompilation) {
    this.compilation = compilation
  }

  /** Records the size of a whole document. Called after the first compilation into a new registry. */
  recordFullSize(): void {
    this.#sizeAtFirst = this.#size
  }

  /**
   * True if the registry has grown so much since {@link recordFullSize} that a new registry is likely to be half as
   * large.
   */
  get isOversized(): boolean {
    return this.#size > 2 * this.#sizeAtFirst + MIN_GROWTH
  }

  /** Returns the number of a stickiness. Equal keys have equal numbers. */
  getNumber(stickiness: Stickiness): number {
    return getOrAdd(this.#stickinessNumbers, stickiness.key, () => this.stickiness.push(stickiness) - 1)
  }

  /** Adds a variant list that must be evaluated per request. */
  addChooser(choose: (request: Request) => number): number {
    this.#size += 1
    return this.choosers.push(choose) - 1
  }

  /** Adds a condition that is not shared. */
  addTest(test: Test, reads: readonly number[]): number {
    return this.#add(test, -1, reads) << 2
  }

  /** Returns the condition of a constraint; true if the constraint always holds, false if it never holds. */
  toRef({ subject }: CompiledConstraint): number | boolean {
    if (!subject) return false
    const { list, field, isNegated } = subject
    if (list?.length === 0) return isNegated
    const isListed = list !== undefined && field !== undefined && list.length <= MAX_LISTED_LENGTH
    const id = isListed ? this.#listed(list, field) : this.#tested(subject)
    return (id << 2) | (isListed ? IS_LISTED : 0) | (isNegated ? IS_NEGATED : 0)
  }

  /**
   * Returns the conditions of a valid segment. Returns an empty list if the segment always holds, and undefined if it
   * never holds. Several constraints of a segment are combined into one condition, so that they are evaluated once per
   * request.
   */
  toSegmentRefs(segment: CompiledSegment): readonly number[] | undefined {
    const refs = this.toRefs(segment.constraints)
    if (!refs || refs.length < 2) return refs
    const known = this.#segments.get(segment)
    const ref = known ?? this.addTest((request) => holdsAll(request as CachingRequest, refs), this.listReads(refs))
    this.#segments.set(segment, ref)
    return [ref]
  }

  /** Returns the conditions of a list of constraints, or undefined if one of the constraints never holds. */
  toRefs(constraints: readonly CompiledConstraint[]): number[] | undefined {
    const refs: number[] = []
    for (const constraint of constraints) {
      const ref = this.toRef(constraint)
      if (ref === false) return undefined
      if (ref !== true) refs.push(ref)
    }
    return refs
  }

  /** Returns all inputs on which the conditions depend. */
  listReads(refs: readonly number[]): number[] {
    return refs.flatMap((ref) => this.reads[ref >> 2] ?? [])
  }

  #listed(list: readonly string[], field: number): number {
    return getOrAdd(this.#ids, `${field} ${JSON.stringify(list)}`, () => {
      const id = this.#add(undefined, field, [field * READ_KINDS + READS.field])
      this.dictionaries[field] ??= new Map()
      const dictionary = this.dictionaries[field]
      this.#size += list.length
      for (const text of new Set(list)) {
        const ids = dictionary.get(text)
        if (ids) ids.push(id)
        else dictionary.set(text, [id])
      }
      return id
    })
  }

  #tested({ test, key, field, instant, list }: Subject): number {
    this.#size += list?.length ?? 0
    const reads = field === undefined ? this.#instant(instant ?? Number.NaN) : field * READ_KINDS + READS.field
    const add = () => this.#add(test, -1, [reads])
    return key === undefined ? add() : getOrAdd(this.#ids, key, add)
  }

  #instant(instant: number): number {
    const index = getOrAdd(this.#instantIndexes, instant, () => this.instants.push(instant) - 1)
    return index * READ_KINDS + READS.instant
  }

  #add(test: Test | undefined, field: number, reads: readonly number[]): number {
    this.#size += 1
    this.fields.push(field)
    this.reads.push(reads)
    return this.tests.push(test) - 1
  }
}

/** Returns true if all conditions hold. */
export function holdsAll(request: CachingRequest, refs: readonly number[]): boolean {
  for (const ref of refs) if (!request.holds(ref)) return false
  return true
}

function getOrAdd<K>(known: Map<K, number>, key: K, add: () => number): number {
  const found = known.get(key)
  if (found !== undefined) return found
  const added = add()
  known.set(key, added)
  return added
}
