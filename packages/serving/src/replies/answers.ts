import type { Engine } from '@burgee/engine'
import type { Content } from '@burgee/kit/http/content'
import { Refusal } from '@burgee/kit/http/refusal'
import type { Context } from '@burgee/protocol/context'
import { Fragments, toToggleOutcomes } from './fragments.ts'
import { ListContent } from './list-content.ts'
import { ReplyCache } from './reply-cache.ts'
import { formatListedToggle, formatToggle } from './toggle-json.ts'

/** Settings of `Answers`. */
export interface AnswerOptions {
  /** Maximum size of the response cache, in bytes; `DEFAULT_CACHE_BYTES` by default. */
  readonly cacheBytes?: number | undefined
}

/** Default cache size for a process with one engine. */
export const DEFAULT_CACHE_BYTES = 32 * 1024 * 1024

/** Kind of a list: `on` contains only the toggles that are on, `all` contains every toggle. */
export type ListKind = 'on' | 'all'

/** List of toggles; `isRepeated` is true if it came from the cache. */
export interface ListAnswer {
  readonly content: Content
  readonly isCached: boolean
}

/** Called for each name in a list. */
export type CountListed = (name: string, isOn: boolean, isFlag: boolean) => void

/**
 * Maximum length of the response to a request for toggles by name. The response needs a limit, because names can be
 * repeated and variants can be large.
 */
const MAX_LISTED_LENGTH = 32 * 1024 * 1024

/** Maximum total size of the JSON prepared in advance: four times the size of 10,000 typical flags. */
const MAX_PREPARED_BYTES = 16 * 1024 * 1024

/**
 * Bodies of evaluation responses for one engine. Caches the JSON of every possible outcome of a flag, and the responses
 * to contexts that occur repeatedly. Nothing is shared with the answers of other engines, except the JSON of flags that
 * are equal in both.
 */
export class Answers {
  readonly engine: Engine
  readonly #fragments: Fragments
  readonly #cache: ReplyCache<ListContent>
  /** JSON of toggles that are requested by name, indexed by flag and then by outcome. */
  readonly #listed: (string[] | undefined)[] = []
  #outlined: ListContent | undefined

  constructor(engine: Engine, options: AnswerOptions = {}, fragments = new Fragments(toToggleOutcomes(engine))) {
    this.engine = engine
    this.#fragments = fragments
    this.#cache = new ReplyCache(options.cacheBytes ?? DEFAULT_CACHE_BYTES)
  }

  /**
   * Builds the answers of an engine in steps. Flags that are unchanged since the previous answers keep the bytes of
   * their JSON.
   */
  static *build(engine: Engine, options?: AnswerOptions, previous?: Answers): Generator<void, Answers> {
    const before = previous === undefined ? undefined : previous.#fragments
    return new Answers(engine, options, yield* Fragments.build(toToggleOutcomes(engine), before))
  }

  /** Runs `build` and then `prepare`, so that the result can be used without further work. */
  static *buildPrepared(engine: Engine, options?: AnswerOptions, previous?: Answers): Generator<void, Answers> {
    const answers = yield* Answers.build(engine, options, previous)
    yield* answers.prepare()
    return answers
  }

  /** Prepares the JSON of outcomes in which a flag is on, in steps, up to a size limit. */
  prepare(): Generator<void> {
    return this.#fragments.prepare(MAX_PREPARED_BYTES)
  }

  /** Size of the response cache, in bytes. */
  get cachedBytes(): number {
    return this.#cache.bytes
  }

  /** Number of responses in the response cache. */
  get cachedEntries(): number {
    return this.#cache.size
  }

  /**
   * Returns the toggles that are on for a context, or all toggles. Evaluates nothing if the response to an equal
   * context is cached.
   */
  list(kind: ListKind, context: Context): ListAnswer {
    const ownKey = this.engine.getCacheKey(context)
    const key = ownKey === undefined ? undefined : `${kind} ${ownKey}`
    const known = key === undefined ? undefined : this.#cache.get(key)
    if (known !== undefined) return { content: known, isCached: true }
    const outcomes = this.engine.decideAll(context)
    this.#outlined?.keepOutline()
    const outline = this.#fragments.outline(outcomes, kind === 'all')
    const content = new ListContent(this.#fragments, outline)
    this.#outlined = content
    if (
      key !== undefined &&
      this.#cache.markSeen(key) &&
      this.#isCurrentKey(ownKey, context) &&
      this.#cache.store(key, content)
    ) {
      content.markCached(() => this.#cache.updateSize(key, content))
    }
    return { content, isCached: false }
  }

  /**
   * Returns false if, between computing the key and evaluating the flags, the clock passed a date that a constraint
   * mentions.
   */
  #isCurrentKey(ownKey: string | undefined, context: Context): boolean {
    return this.engine.getCacheKey(context) === ownKey
  }

  /**
   * Returns the toggles with the given names, in the given order and including repetitions, and calls `count` for each
   * of them. Throws a Refusal, and counts nothing, if their JSON exceeds 32 Mi characters in total.
   */
  listed(names: readonly string[], context: Context, count: CountListed): string {
    const indexes = names.map((name) => this.engine.indexOf(name))
    const outcomes = this.engine.decideSome(indexes, context)
    let length = 0
    const parts = names.map((name, place) => {
      const index = indexes[place] as number
      const part =
        index < 0 ? this.#formatUnknown(name, context) : this.#getListedJson(index, outcomes[place] as number)
      length += part.length
      return part
    })
    if (length > MAX_LISTED_LENGTH) throw createTooLongRefusal()
    for (const [place, name] of names.entries()) count(name, outcomes[place] !== 0, (indexes[place] as number) >= 0)
    return `{"toggles":[${parts.join(',')}]}`
  }

  /** Returns the JSON that lists contain for the toggle with this name, or undefined if there is no such toggle. */
  single(name: string, context: Context): string | undefined {
    return this.engine.indexOf(name) < 0 ? undefined : formatToggle(this.engine.evaluate(name, context))
  }

  #formatUnknown(name: string, context: Context): string {
    return formatListedToggle(this.engine.evaluate(name, context))
  }

  #getListedJson(index: number, outcome: number): string {
    const texts = this.#listed[index] ?? []
    this.#listed[index] = texts
    const evaluation = this.engine.getOutcomes(index)[outcome]
    if (evaluation === undefined) throw new Error(`Feature number ${index} has no outcome ${outcome}`)
    const text = texts[outcome] ?? formatListedToggle(evaluation)
    texts[outcome] = text
    return text
  }
}

function createTooLongRefusal(): Refusal {
  const most = `more than ${MAX_LISTED_LENGTH} characters`
  return new Refusal('bad-request', `The answers to "toggles" would have ${most} in total: request fewer names at once`)
}
