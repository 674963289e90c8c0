import type { CompileOptions } from '../contract.ts'
import { type CompiledDependency, isAboutVariantIfOn, letsVariant, letsVariantIfOn } from '../rules/dependencies.ts'
import type { Evaluation } from '../rules/evaluation.ts'
import { ON } from '../rules/feature.ts'
import type { Raw } from '../rules/raw-value.ts'
import type { Request } from '../rules/request.ts'
import type { CompiledSegment } from '../rules/strategy.ts'
import { CHOICE, END, type EncodedFlag, EVERYBODY, NO_OUTCOME } from './encode-flag.ts'
import { Integers } from './integers.ts'
import { reasonsOfFlag } from './reasons.ts'
import { READ_KINDS, READS, type Registry } from './registry.ts'
import { type Rows, RowsWriter } from './rows.ts'

/** A flag, compiled: the part of a program that the next one takes over when the flag is still the same. */
export interface ProgramFlag {
  readonly outcomes: readonly Evaluation[]
  readonly encoded: EncodedFlag
  /** The segments it was compiled with, by id. */
  readonly segments: ReadonlyMap<unknown, CompiledSegment | undefined> | undefined
  readonly warnings: readonly string[]
  /** As in `Parent`; undefined if nothing can ask for it. */
  readonly variantIfOn: ((request: Request) => string | undefined) | undefined
}

/** A segment, compiled. */
export interface ProgramSegment {
  readonly compiled: CompiledSegment
  readonly warnings: readonly string[]
}

/** A parent of a flag, and for each of its outcomes whether the child is then looked at. */
export interface LinkedParent {
  readonly index: number
  readonly lets: readonly boolean[]
  /** Asked besides, if the outcome of the parent does not tell all. */
  readonly isMet?: (request: Request) => boolean
}

/** All flags of a document in a few lists of integers, for one pass over them. */
export interface Program {
  /** First the flags that callers may ask for, then those that only other flags depend on. */
  readonly names: readonly string[]
  readonly listed: readonly string[]
  readonly indexes: ReadonlyMap<string, number>
  readonly definitions: readonly Raw[]
  readonly flags: readonly ProgramFlag[]
  readonly segments: ReadonlyMap<unknown, ProgramSegment>
  readonly registry: Registry
  /** What it was compiled with. */
  readonly options: CompileOptions
  /** By flag: the outcome that is the same for everybody, or the one that rows begin with; else 0. */
  readonly constants: Uint16Array
  /** Two per flag: how it came to be off, and how it came to be on; `ASK` where the request decides. */
  readonly reasons: Uint8Array
  /** Where a flag begins in `code`; -1 for one with a constant outcome. */
  readonly starts: Int32Array
  readonly code: Int32Array
  /** Flags of the common shapes. */
  readonly rows: Rows
  /** All other flags without parents that depend on the context. */
  readonly others: Int32Array
  /** Flags with parents. No parent is among them. */
  readonly children: Int32Array
  /** By flag; undefined for flags without parents. */
  readonly parents: ReadonlyMap<number, readonly LinkedParent[]>
  /** Fields whose dictionaries some flag looks into. */
  readonly listedFields: readonly number[]
  /** Everything that some flag reads, as `READS` numbers it. */
  readonly reads: readonly number[]
}

/** How many flags are worked on between two pauses. */
const SLICE = 500

/** A program whose flags have been compiled one by one. */
export type Parts = Pick<
  Program,
  'names' | 'listed' | 'indexes' | 'definitions' | 'flags' | 'segments' | 'registry' | 'options'
>

/** Puts compiled flags together. Takes a pause after every few hundred of them. */
export function* link(parts: Parts): Generator<void, Program> {
  const { flags, indexes, registry } = parts
  const linker = new Linker(flags, indexes)
  for (let from = 0; from < flags.length; from += SLICE) {
    for (let index = from; index < Math.min(from + SLICE, flags.length); index++) linker.add(index)
    yield
  }
  return { ...parts, ...linker.linked(registry) }
}

class Linker {
  readonly #flags: readonly ProgramFlag[]
  readonly #indexes: ReadonlyMap<string, number>
  readonly #constants: Uint16Array
  readonly #reasons: Uint8Array
  readonly #starts: Int32Array
  readonly #code = new Integers()
  readonly #rows = new RowsWriter()
  readonly #others = new Integers()
  readonly #children = new Integers()
  readonly #parents = new Map<number, readonly LinkedParent[]>()
  readonly #reads: number[] = []
  readonly #isRead: boolean[] = []

  constructor(flags: readonly ProgramFlag[], indexes: ReadonlyMap<string, number>) {
    this.#flags = flags
    this.#indexes = indexes
    this.#constants = new Uint16Array(flags.length)
    this.#reasons = new Uint8Array(2 * flags.length)
    this.#starts = new Int32Array(flags.length).fill(-1)
  }

  add(index: number): void {
    const encoded = this.#encodedAt(index)
    const parents = encoded.dependencies.length > 0 ? this.#parentsOf(encoded) : NO_PARENTS
    this.#reasons.set(reasonsOfFlag(encoded, parents !== undefined), 2 * index)
    if (!parents) return
    if (encoded.constant !== NO_OUTCOME && parents.length === 0) {
      this.#constants[index] = encoded.constant
      return
    }
    this.#starts[index] = this.#code.length
    const code = encoded.constant === NO_OUTCOME ? encoded.code : codeOfConstant(encoded.constant)
    this.#code.addAll(code)
    for (const read of encoded.reads) this.#read(read)
    if (parents.length > 0) {
      this.#parents.set(index, parents)
      this.#children.add(index)
      return
    }
    const isOn = this.#rows.add(index, code)
    if (isOn === undefined) this.#others.add(index)
    else if (isOn) this.#constants[index] = ON
  }

  linked(registry: Registry) {
    const code = this.#code.taken()
    return {
      ...{ constants: this.#constants, starts: this.#starts, code, parents: this.#parents, reads: this.#reads },
      ...{ reasons: this.#reasons, rows: this.#rows.rows() },
      others: this.#others.taken(),
      children: this.#children.taken(),
      listedFields: registry.dictionaries.flatMap((dictionary, field) =>
        dictionary && this.#isRead[field * READ_KINDS + READS.field] ? [field] : [],
      ),
    }
  }

  #read(read: number): void {
    if (!this.#isRead[read]) this.#reads.push(read)
    this.#isRead[read] = true
  }

  #encodedAt(index: number): EncodedFlag {
    return (this.#flags[index] as ProgramFlag).encoded
  }

  /** Undefined when some parent can never be as its child wants it. */
  #parentsOf({ dependencies }: EncodedFlag): readonly LinkedParent[] | undefined {
    const parents: LinkedParent[] = []
    for (const dependency of dependencies) {
      const { parent, wantsOn } = dependency
      const index = parent === undefined ? undefined : this.#indexes.get(parent)
      const flag = index === undefined ? undefined : this.#flags[index]
      if (index === undefined || !flag || flag.encoded.hasParents) return undefined
      const { constant } = flag.encoded
      const lets = flag.outcomes.map(({ enabled, variant }) =>
        wantsOn ? enabled && letsVariant(dependency, variant) : !enabled,
      )
      const isMet = testOfVariantIfOn(dependency, flag)
      if (constant !== NO_OUTCOME && !lets[constant]) return undefined
      if (isMet) this.#read(READS.anything)
      if (constant === NO_OUTCOME || isMet) parents.push({ index, lets, ...(isMet && { isMet }) })
    }
    return parents
  }
}

/** The test that a dependency on a parent that is off makes besides; undefined for none. */
function testOfVariantIfOn(dependency: CompiledDependency, { variantIfOn }: ProgramFlag) {
  if (!isAboutVariantIfOn(dependency) || variantIfOn === undefined) return undefined
  return (request: Request) => letsVariantIfOn(dependency, variantIfOn(request))
}

const NO_PARENTS: readonly LinkedParent[] = []

/** A strategy that gives everybody one outcome. */
function codeOfConstant(outcome: number): readonly number[] {
  return [7, 5, 0, EVERYBODY, CHOICE.fixed, outcome, END, CHOICE.none]
}
