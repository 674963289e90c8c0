import { createHash } from 'node:crypto'
import type { Engine, Evaluation } from '@burgee/engine'
import { compareText } from '@burgee/kit/compare-text'
import type { Content } from '@burgee/kit/http/content'
import { runSync } from '@burgee/kit/slices'
import type { Context } from '@burgee/protocol/context'
import type { Feature, Segment } from '@burgee/protocol/feature'
import type { OfrepBulk, OfrepEvaluation, OfrepFailure } from '@burgee/protocol/openfeature/ofrep'
import { DEFAULT_CACHE_BYTES } from './answers.ts'
import { FlagEvaluations, getPieceNumber } from './flag-evaluations.ts'
import { Fragments, type Outcomes } from './fragments.ts'
import { createEnvelope, type JsonEnvelope } from './json-envelope.ts'
import { ListContent } from './list-content.ts'
import { ReplyCache } from './reply-cache.ts'

/** Inputs of `OfrepAnswers`. */
export interface OfrepParts {
  readonly engine: Engine
  /** Definitions of all flags of the engine, and of parent flags that clients cannot request. */
  readonly features: readonly Feature[]
  readonly segments: readonly Segment[]
  /** Maximum size of the response cache, in bytes; `DEFAULT_CACHE_BYTES` by default. */
  readonly cacheBytes?: number | undefined
}

/** A flag that was evaluated for one context. */
export interface SingleAnswer {
  readonly answer: OfrepEvaluation | OfrepFailure
  readonly isOn: boolean
}

/** JSON that surrounds the flags of a list, with the properties that all flags have in common. */
export type OfrepEnvelope = JsonEnvelope

/** Creates an envelope. */
export function createOfrepEnvelope(
  metadata: NonNullable<OfrepBulk['metadata']>,
  eventStreams?: NonNullable<OfrepBulk['eventStreams']>,
): OfrepEnvelope {
  const rest = JSON.stringify({ metadata, ...(eventStreams === undefined ? {} : { eventStreams }) })
  return createEnvelope('{"flags":[', `],${rest.slice(1)}`)
}

/** Number of flags processed between two pauses. */
const STEP = 250
const TAG_LENGTH = 22

/**
 * Responses to OpenFeature providers, for one engine. As with lists of toggles, the JSON of each possible evaluation is
 * created once, and responses are assembled from this JSON. Flags that are unchanged since the previous engine keep
 * their JSON.
 */
export class OfrepAnswers {
  readonly engine: Engine
  readonly #flags: FlagTable
  readonly #fragments: Fragments
  readonly #order: Int32Array
  readonly #pieces: Uint32Array
  readonly #cache: ReplyCache<ListContent>
  #tag: string | undefined
  #outlined: ListContent | undefined

  private constructor({ engine, cacheBytes }: OfrepParts, flags: FlagTable, fragments: Fragments) {
    this.engine = engine
    this.#flags = flags
    this.#fragments = fragments
    this.#order = sortByName(engine.names)
    this.#pieces = new Uint32Array(engine.names.length)
    this.#cache = new ReplyCache(cacheBytes ?? DEFAULT_CACHE_BYTES)
  }

  /** Size of the response cache, in bytes. */
  get cachedBytes(): number {
    return this.#cache.bytes
  }

  /** Number of responses in the response cache. */
  get cachedEntries(): number {
    return this.#cache.size
  }

  /** Builds the answers of an engine in steps. */
  static *build(parts: OfrepParts, previous?: OfrepAnswers): Generator<void, OfrepAnswers> {
    const before = previous === undefined ? undefined : { flags: previous.#flags, fragments: previous.#fragments }
    const flags = new FlagTable(parts, before?.flags)
    yield* flags.fill()
    return new OfrepAnswers(parts, flags, yield* Fragments.build(flags, before?.fragments))
  }

  /**
   * Tag of the flags alone, which does not depend on the caller. Equal tags mean equal flag definitions and segments,
   * in every process.
   */
  get tag(): string {
    this.#tag ??= this.#flags.tag(this.#order)
    return this.#tag
  }

  /**
   * Returns all flags for a context, sorted by name, in an envelope. Evaluates nothing if the response to an equal
   * context is cached.
   */
  bulk(context: Context, frame: OfrepEnvelope): { readonly content: Content; readonly isCached: boolean } {
    const ownKey = this.engine.getCacheKey(context)
    const key = ownKey === undefined ? undefined : `${frame.hashA},${frame.hashB} ${ownKey}`
    const known = key === undefined ? undefined : this.#cache.get(key)
    if (known !== undefined) return { content: known, isCached: true }
    this.#decide(context)
    this.#outlined?.keepOutline()
    const outline = this.#fragments.outlineInOrder(this.#order, this.#pieces, frame)
    const content = new ListContent(this.#fragments, outline)
    this.#outlined = content
    // between computing the key and evaluating the flags, the clock may have passed a date that a constraint mentions
    const isRepeated = key !== undefined && this.#cache.markSeen(key) && this.engine.getCacheKey(context) === ownKey
    if (isRepeated && this.#cache.store(key, content)) content.markCached(() => this.#cache.updateSize(key, content))
    return { content, isCached: false }
  }

  /** Returns one evaluated flag, or undefined if there is no flag with this name. */
  single(name: string, context: Context): SingleAnswer | undefined {
    const index = this.engine.indexOf(name)
    if (index < 0) return undefined
    const outcome = this.engine.decideAt(index, context)
    const piece = getPieceNumber(outcome, this.engine.getReason(index, outcome))
    return { answer: this.#flags.getOutcomes(index).get(piece), isOn: outcome !== 0 }
  }

  #decide(context: Context): void {
    const outcomes = this.engine.decideAll(context)
    for (let index = 0; index < this.#pieces.length; index++) {
      const outcome = outcomes[index] as number
      this.#pieces[index] = getPieceNumber(outcome, this.engine.getReason(index, outcome))
    }
  }
}

/** Adapter that provides the flags of an engine to `Fragments`. */
class FlagTable implements Outcomes {
  readonly names: readonly string[]
  readonly #parts: OfrepParts
  /**
   * Evaluations of flags that are already known, keyed by the list of outcomes that the engine has for each flag. This
   * list remains the same object until the definition of the flag changes.
   */
  readonly #knownFlags: WeakMap<readonly Evaluation[], FlagEvaluations>
  readonly #flags: FlagEvaluations[] = []

  constructor(parts: OfrepParts, previous: FlagTable | undefined) {
    this.names = parts.engine.names
    this.#parts = parts
    this.#knownFlags = previous === undefined ? new WeakMap() : previous.#knownFlags
  }

  /** Reuses the evaluations of flags that are already known, and creates the others. */
  *fill(): Generator<void> {
    const { engine, features } = this.#parts
    let byName: ReadonlyMap<string, Feature> | undefined
    for (const [index, name] of this.names.entries()) {
      if (index % STEP === STEP - 1) yield
      const outcomes = engine.getOutcomes(index)
      let flag = this.#knownFlags.get(outcomes)
      if (flag === undefined) {
        byName ??= new Map(features.map((feature) => [feature.name, feature]))
        const definition = byName.get(name)
        if (definition === undefined) throw new Error(`The document has no flag ${JSON.stringify(name)}`)
        flag = new FlagEvaluations(definition, outcomes)
        this.#knownFlags.set(outcomes, flag)
      }
      this.#flags.push(flag)
    }
  }

  /**
   * Returns the tag of all flags in the given order. The tag also covers segments, and parent flags that clients do not
   * receive.
   */
  tag(order: Int32Array): string {
    const digest = createHash('sha256')
    for (const index of order) digest.update(this.getOutcomes(index).digest)
    const { features, segments } = this.#parts
    if (features.length > this.names.length) {
      const hidden = features.filter(({ name }) => this.indexOf(name) < 0)
      digest.update(JSON.stringify(hidden.sort((a, b) => compareText(a.name, b.name))))
    }
    digest.update(JSON.stringify(segments))
    return digest.digest('base64url').slice(0, TAG_LENGTH)
  }

  indexOf(name: string): number {
    return this.#parts.engine.indexOf(name)
  }

  getOutcomes(index: number): FlagEvaluations {
    const flag = this.#flags[index]
    if (flag === undefined) throw new Error(`There is no flag number ${index}`)
    return flag
  }

  toJson(index: number, piece: number): string {
    return JSON.stringify(this.getOutcomes(index).get(piece))
  }
}

/** Returns the indexes of flags, sorted by name. */
function sortByName(names: readonly string[]): Int32Array {
  const order = Int32Array.from(names.keys())
  const isSorted = names.every((name, index) => index === 0 || compareText(names[index - 1] as string, name) < 0)
  return isSorted ? order : order.sort((a, b) => compareText(names[a] as string, names[b] as string))
}

/** Answers that are built on first use, because most configurations are never requested by an OpenFeature provider. */
export class LazyOfrepAnswers {
  readonly #parts: OfrepParts
  #answers: OfrepAnswers | undefined
  #previous: OfrepAnswers | undefined

  constructor(parts: OfrepParts, before: LazyOfrepAnswers | undefined) {
    this.#parts = parts
    if (before !== undefined) this.#previous = before.#answers ?? before.#previous
  }

  /**
   * True if a provider requested flags of an earlier configuration. In this case, the answers are built before the
   * configuration is put into use.
   */
  get isRequested(): boolean {
    return this.#previous !== undefined
  }

  /** Size of the response cache, in bytes. */
  get cachedBytes(): number {
    return this.#answers?.cachedBytes ?? 0
  }

  /** Number of responses in the response cache. */
  get cachedEntries(): number {
    return this.#answers?.cachedEntries ?? 0
  }

  /** Builds the answers in steps. */
  *prepare(): Generator<void> {
    this.#answers = yield* OfrepAnswers.build(this.#parts, this.#previous)
    this.#previous = undefined
  }

  /** Returns the answers. Builds the answers on first use. */
  get(): OfrepAnswers {
    if (this.#answers === undefined) runSync(this.prepare())
    return this.#answers as OfrepAnswers
  }
}
