import { isObject } from '@burgee/kit/input/is-object'
import { runInSlices } from '@burgee/kit/slices'

/** Names of the lists in a configuration whose items are parsed individually. */
const LISTS = new Set(['features', 'segments'])

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/** Items of the last document, each keyed by the text from which it was parsed. */
export type ParsedItems = Map<string, unknown>

/** A parsed document, and its items keyed by their text. */
export interface ParsedText {
  readonly value: unknown
  readonly items: ParsedItems
}

/**
 * Parses a configuration with the same result as JSON.parse, but one item at a time, with a pause after each. Reuses
 * the parsed object if the text of an item is unchanged, so that equal parts of two documents are the same objects. If
 * the layout of the text is unusual, parses the text as a whole. Throws SyntaxError if the text is not JSON.
 */
export function* parseDocumentText(text: string, known: ParsedItems): Generator<void, ParsedText> {
  const items: ParsedItems = new Map()
  const reader = new DocumentScanner(text, known, items)
  const value = yield* reader.read()
  if (value !== undefined) return { value, items }
  items.clear()
  return { value: JSON.parse(text), items }
}

/**
 * Parser for successive versions of a configuration. Parses in slices, so that the process can serve requests in
 * between. Items that have not changed remain the same objects.
 */
export class DocumentParser {
  /** Items of the text that was parsed last. */
  #items: ParsedItems = new Map()

  /** Parses a text. Rejects with SyntaxError if the text is not JSON. */
  async parse(text: string): Promise<unknown> {
    const { value, items } = await runInSlices(parseDocumentText(text, this.#items))
    this.#items = items
    return value
  }
}

/**
 * Scanner that finds the lists in a document and the items in each list, without parsing the items. JSON.parse
 * afterwards validates every item, and the rest of the document without the lists. The scanner gives up on unexpected
 * input instead of guessing.
 */
class DocumentScanner {
  readonly #text: string
  readonly #knownItems: ParsedItems
  readonly #items: ParsedItems
  #at = 0
  /** Start of the text that follows the last list found so far. */
  #restAt = 0
  #rest = ''
  readonly #lists = new Map<string, unknown[]>()
  readonly #seenKeys = new Set<string>()

  constructor(text: string, known: ParsedItems, items: ParsedItems) {
    this.#text = text
    this.#knownItems = known
    this.#items = items
  }

  /** Returns undefined if the layout of the document is unusual. */
  *read(): Generator<void, unknown> {
    if (!this.#take(OPEN_BRACE)) return undefined
    do {
      const key = this.#key()
      if (key === undefined) return undefined
      if (LISTS.has(key) && this.#seenKeys.has(key)) return undefined
      this.#seenKeys.add(key)
      if (LISTS.has(key) && this.#peek() === OPEN_BRACKET) {
        const list = yield* this.#list()
        if (list === undefined) return undefined
        this.#lists.set(key, list)
      } else this.#skipValue()
    } while (this.#take(COMMA))
    this.#rest += this.#text.slice(this.#restAt)
    const value = parseJson(this.#rest)
    return isObject(value) ? Object.assign(value, Object.fromEntries(this.#lists)) : undefined
  }

  /** Reads a key and the colon after it. Returns undefined for a key that contains escape sequences. */
  #key(): string | undefined {
    if (this.#peek() !== QUOTE) return undefined
    const from = this.#at + 1
    this.#skipText()
    const key = this.#text.slice(from, this.#at - 1)
    return this.#take(COLON) && !key.includes('\\') ? key : undefined
  }

  *#list(): Generator<void, unknown[] | undefined> {
    this.#rest += `${this.#text.slice(this.#restAt, this.#at)}[]`
    this.#at += 1
    const list: unknown[] = []
    if (!this.#take(CLOSE_BRACKET)) {
      do {
        if (this.#peek() !== OPEN_BRACE) return undefined
        const from = this.#at
        this.#skipNested()
        list.push(this.#item(this.#text.slice(from, this.#at)))
        yield
      } while (this.#take(COMMA))
      if (!this.#take(CLOSE_BRACKET)) return undefined
    }
    this.#restAt = this.#at
    return list
  }

  #item(text: string): unknown {
    const item = this.#knownItems.get(text) ?? JSON.parse(text)
    this.#items.set(text, item)
    return item
  }

  #skipValue(): void {
    const first = this.#peek()
    if (first === QUOTE) this.#skipText()
    else if (first === OPEN_BRACE || first === OPEN_BRACKET) this.#skipNested()
    else while (this.#at < this.#text.length && !isEnd(this.#text.charCodeAt(this.#at))) this.#at += 1
  }

  /** Skips a nested value, from its opening brace or bracket to the position after the closing one. */
  #skipNested(): void {
    const text = this.#text
    let depth = 0
    let at = this.#at
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        for (at += 1; at < text.length && text.charCodeAt(at) !== QUOTE; at += 1) {
          if (text.charCodeAt(at) === BACKSLASH) at += 1
        }
      } else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        depth -= 1
        if (depth === 0) break
      }
    }
    this.#at = Math.min(at + 1, text.length)
  }

  /** Skips a string, from its opening quote to the position after the closing one. */
  #skipText(): void {
    const text = this.#text
    let at = this.#at + 1
    while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
    this.#at = Math.min(at + 1, text.length)
  }

  /** Consumes the given character if it is the next one. */
  #take(code: number): boolean {
    if (this.#peek() !== code) return false
    this.#at += 1
    return true
  }

  /** Returns the next non-space character without consuming it. */
  #peek(): number {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1
    return this.#text.charCodeAt(this.#at)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function isEnd(code: number): boolean {
  return code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || isSpace(code)
}
