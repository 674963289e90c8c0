import type { Engine } from '@burgee/engine'
import { type Coding, compress, compressedBytes } from '@burgee/kit/http/compression'
import type { Content, Loan } from '@burgee/kit/http/content'
import { compressQuickly } from '@burgee/kit/http/quick-compression'
import { Refusal } from '@burgee/kit/http/refusal'
import type { Context } from '@burgee/protocol/context'
import { Fragments } from './fragments.ts'
import { ReplyCache } from './reply-cache.ts'
import type { ReplyOutline } from './reply-outline.ts'
import { listedToggleJson } from './toggle-json.ts'

/** What answers are made with. */
export interface AnswerOptions {
  /** Bound of what is kept for contexts that come again; `DEFAULT_CACHE_BYTES` by default. */
  readonly cacheBytes?: number | undefined
}

/** For a process with one engine. */
export const DEFAULT_CACHE_BYTES = 32 * 1024 * 1024

/** Which toggles a list has. */
export type ListKind = 'on' | 'all'

/** A list of toggles, and whether it was kept from before. */
export interface ListAnswer {
  readonly content: Content
  readonly isRepeated: boolean
}

/** The longest reply to a list of names: names may be repeated, and variants may carry much. */
const MOST_LISTED_LENGTH = 32 * 1024 * 1024

/** How much JSON of outcomes is made before it is needed: four times that of 10,000 flags as teams have them. */
const MOST_PREPARED_BYTES = 16 * 1024 * 1024

/**
 * Bodies of evaluation replies over one engine; the face of this folder (README.md). Knows the JSON of every outcome and
 * keeps the replies to contexts that come again. Shares nothing with the answers of another engine, except the bytes of
 * flags that are the same in both.
 */
export class Answers {
  readonly engine: Engine
  readonly #fragments: Fragments
  readonly #cache: ReplyCache<ToggleList>
  /** By number of the flag and of the outcome. */
  readonly #listed: (string[] | undefined)[] = []
  #outlined: ToggleList | undefined

  constructor(engine: Engine, options: AnswerOptions = {}, fragments = new Fragments(engine)) {
    this.engine = engine
    this.#fragments = fragments
    this.#cache = new ReplyCache(options.cacheBytes ?? DEFAULT_CACHE_BYTES)
  }

  /** Makes the answers of an engine, step by step; flags that are the same as in the previous answers keep their bytes. */
  static *build(engine: Engine, options?: AnswerOptions, previous?: Answers): Generator<void, Answers> {
    const before = previous === undefined ? undefined : previous.#fragments
    return new Answers(engine, options, yield* Fragments.build(engine, before))
  }

  /** As `build` and then `prepare`: ready to come into use. */
  static *prepared(engine: Engine, options?: AnswerOptions, previous?: Answers): Generator<void, Answers> {
    const answers = yield* Answers.build(engine, options, previous)
    yield* answers.prepare()
    return answers
  }

  /** Makes the JSON of outcomes that are on before anybody asks for it, step by step, unless it is very much. */
  prepare(): Generator<void> {
    return this.#fragments.prepare(MOST_PREPARED_BYTES)
  }

  /** Bytes that are kept for contexts that come again. */
  get cachedBytes(): number {
    return this.#cache.bytes
  }

  /** The toggles that are on for a context, or all of them. Evaluates nothing when an equal context came before. */
  list(kind: ListKind, context: Context): ListAnswer {
    const ownKey = this.engine.keyOf(context)
    const key = ownKey === undefined ? undefined : `${kind} ${ownKey}`
    const known = key === undefined ? undefined : this.#cache.get(key)
    if (known !== undefined) return { content: known, isRepeated: true }
    const outcomes = this.engine.decideAll(context)
    this.#outlined?.keepOutline()
    const outline = this.#fragments.outline(outcomes, kind === 'all')
    const content = new ToggleList(this.#fragments, outline)
    this.#outlined = content
    if (key !== undefined && this.#cache.see(key) && this.#isStill(ownKey, context) && this.#cache.keep(key, content)) {
      content.keptBy(() => this.#cache.grew(key, content))
    }
    return { content, isRepeated: false }
  }

  /** The clock may have passed an instant of a constraint between the key and the decision. */
  #isStill(ownKey: string | undefined, context: Context): boolean {
    return this.engine.keyOf(context) === ownKey
  }

  /**
   * The toggles of these names, in order, repeated ones too; `count` hears whether each is on. Throws a Refusal, and counts
   * nothing, where their answers would be longer than 32 Mi characters together.
   */
  listed(names: readonly string[], context: Context, count: (name: string, isOn: boolean) => void): string {
    const indexes = names.map((name) => this.engine.indexOf(name))
    const outcomes = this.engine.decideSome(indexes, context)
    let length = 0
    const parts = names.map((name, place) => {
      const index = indexes[place] as number
      const part = index < 0 ? this.#unknown(name, context) : this.#listedText(index, outcomes[place] as number)
      length += part.length
      return part
    })
    if (length > MOST_LISTED_LENGTH) throw tooLong()
    for (const [place, name] of names.entries()) count(name, outcomes[place] !== 0)
    return `{"toggles":[${parts.join(',')}]}`
  }

  #unknown(name: string, context: Context): string {
    return listedToggleJson(this.engine.evaluate(name, context))
  }

  #listedText(index: number, outcome: number): string {
    const texts = this.#listed[index] ?? []
    this.#listed[index] = texts
    const evaluation = this.engine.outcomesOf(index)[outcome]
    if (evaluation === undefined) throw new Error(`Feature number ${index} has no outcome ${outcome}`)
    const text = texts[outcome] ?? listedToggleJson(evaluation)
    texts[outcome] = text
    return text
  }
}

function tooLong(): Refusal {
  const most = `more than ${MOST_LISTED_LENGTH} characters`
  return new Refusal('bad-request', `The answers to "toggles" would have ${most} together: ask for fewer names at once`)
}

/** A list of toggles whose bytes are put together when somebody needs them. */
class ToggleList implements Content {
  readonly etag: string
  readonly length: number
  readonly #fragments: Fragments
  #outline: Omit<ReplyOutline, 'etag'> | undefined
  #body: Buffer | undefined
  #grow: (() => void) | undefined

  constructor(fragments: Fragments, outline: ReplyOutline) {
    this.etag = outline.etag
    this.length = outline.length
    this.#fragments = fragments
    this.#outline = outline
  }

  get heldBytes(): number {
    if (this.#body === undefined) return (this.#outline?.count ?? 0) * Uint32Array.BYTES_PER_ELEMENT
    return this.#body.length + compressedBytes(this.#body)
  }

  /** Takes a copy of its outline, as long as it needs one; called before another list is outlined in the same place. */
  keepOutline(): void {
    if (this.#outline === undefined) return
    const { spans, count, length } = this.#outline
    this.#outline = { spans: spans.slice(0, count), count, length }
  }

  /** Says that it is kept: from now on its compressed forms are remembered, and `grow` hears when it holds more bytes. */
  keptBy(grow: () => void): void {
    this.#grow = grow
  }

  bytes(): Buffer {
    if (this.#body !== undefined) return this.#body
    const body = this.#fragments.copy(this.#takeOutline())
    this.#body = body
    this.#grow?.()
    return body
  }

  /** A list that is not kept is put together in memory that other replies used before. */
  lend(): Loan {
    if (this.#grow !== undefined || this.#body !== undefined) return { bytes: this.bytes(), giveBack: () => {} }
    return this.#fragments.lend(this.#takeOutline())
  }

  #takeOutline(): Omit<ReplyOutline, 'etag'> {
    const outline = this.#outline
    if (outline === undefined) throw new Error('A list has neither outline nor bytes')
    this.#outline = undefined
    return outline
  }

  encoded(coding: Coding): Buffer | Promise<Buffer> {
    const grow = this.#grow
    if (grow === undefined) return this.#encodedOnce(coding)
    return compress(this.bytes(), coding).then((bytes) => {
      grow()
      return bytes
    })
  }

  /** Compressed from memory that is lent, so that only the small form is new; kept as it is where that fails. */
  #encodedOnce(coding: Coding): Buffer | Promise<Buffer> {
    const loan = this.lend()
    const back = (small: Buffer) => {
      loan.giveBack()
      return small
    }
    const fail = (error: unknown): never => {
      this.#body = Buffer.from(loan.bytes)
      loan.giveBack()
      throw error
    }
    try {
      const small = compressQuickly(loan.bytes, coding)
      return Buffer.isBuffer(small) ? back(small) : small.then(back, fail)
    } catch (error) {
      return fail(error)
    }
  }
}
