/** Reads the next bytes of a file, up to `size` bytes. Returns no bytes at the end of the file. */
export type ReadBytes = (size: number) => Buffer

/** Property of an object, or one item if the property is a list. `isItem` is true for a list item. */
export interface JsonPiece {
  readonly key: string
  readonly isItem: boolean
  /** True for the first item of a list, and false for its other items. */
  readonly isFirst: boolean
  readonly value: unknown
}

/** Thrown if the text is not a JSON object. The message contains the position in bytes. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
}

const READ_BYTES = 1024 * 1024
/** Maximum size of one property or list item. Each property or list item is parsed as a whole. */
const MAX_PIECE_BYTES = 64 * 1024 * 1024
const code = (character: string): number => character.charCodeAt(0)
const [QUOTE, BACKSLASH, COMMA, COLON] = [code('"'), code('\\'), code(','), code(':')]
const [OBJECT, OBJECT_END, LIST, LIST_END] = [code('{'), code('}'), code('['), code(']')]
const SPACES: ReadonlySet<number> = new Set([' ', '\t', '\n', '\r'].map(code))
const END = -1
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/**
 * Parses a JSON object without having its whole text in memory: yields each property, or each item of a property that
 * is a list. An empty list is yielded as a property. Only the current piece and a few bytes of the file are in memory.
 * Throws NotJson.
 */
export function* readJsonPieces(read: ReadBytes): Generator<JsonPiece> {
  const text = new Window(read)
  text.skipByteOrderMark()
  text.require(OBJECT)
  if (text.peek() === OBJECT_END) text.require(OBJECT_END)
  else {
    do {
      const key = text.takeValue()
      if (typeof key !== 'string') text.fail('a property must have a name')
      text.require(COLON)
      yield* readProperty(text, key as string)
    } while (text.takesCommaBefore(OBJECT_END))
  }
  if (text.peek() !== END) text.fail('there is text after the object')
}

function* readProperty(text: Window, key: string): Generator<JsonPiece> {
  if (text.peek() !== LIST) {
    yield { key, isItem: false, isFirst: true, value: text.takeValue() }
    return
  }
  text.require(LIST)
  if (text.peek() === LIST_END) {
    text.require(LIST_END)
    yield { key, isItem: false, isFirst: true, value: [] }
    return
  }
  let isFirst = true
  do {
    yield { key, isItem: true, isFirst, value: text.takeValue() }
    isFirst = false
  } while (text.takesCommaBefore(LIST_END))
}

/** Assembles the pieces into an object. A repeated property replaces the earlier one, as in `JSON.parse`. */
export class JsonCollector {
  readonly #properties = new Map<string, unknown>()
  #items: unknown[] = []

  add({ key, isItem, isFirst, value }: JsonPiece): void {
    if (!isItem) {
      this.#properties.set(key, value)
      return
    }
    if (isFirst) {
      this.#items = []
      this.#properties.set(key, this.#items)
    }
    this.#items.push(value)
  }

  object(): Record<string, unknown> {
    return Object.fromEntries(this.#properties)
  }
}

/** Part of the text that has been read but not parsed yet. */
class Window {
  readonly #read: ReadBytes
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  /** Number of bytes of the file that precede the window. */
  #before = 0

  constructor(read: ReadBytes) {
    this.#read = read
  }

  skipByteOrderMark(): void {
    while (this.#bytes.length < BYTE_ORDER_MARK.length && this.#fill(0));
    if (this.#bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) this.#at = BYTE_ORDER_MARK.length
  }

  /** Returns the next byte that is not whitespace, or END. */
  peek(): number {
    for (;;) {
      if (this.#at === this.#bytes.length && !this.#fill(this.#at)) return END
      const byte = this.#bytes[this.#at] as number
      if (!SPACES.has(byte)) return byte
      this.#at += 1
    }
  }

  require(byte: number): void {
    if (this.peek() !== byte) this.fail(`expected "${String.fromCharCode(byte)}"`)
    this.#at += 1
  }

  /** Consumes a comma, or the end of the list or object. Returns true for a comma. */
  takesCommaBefore(end: number): boolean {
    const isComma = this.peek() === COMMA
    this.require(isComma ? COMMA : end)
    return isComma
  }

  /** Consumes and parses one value. */
  takeValue(): unknown {
    this.peek()
    const end = this.#findEnd()
    const piece = this.#bytes.toString('utf8', this.#at, end)
    try {
      const value = JSON.parse(piece) as unknown
      this.#at = end
      return value
    } catch (error) {
      this.fail(error instanceof Error ? error.message : 'not a value')
    }
  }

  fail(why: string): never {
    throw new NotJson(`position ${this.#before + this.#at}: ${why}`)
  }

  /** Returns the index after the value that starts at the current position. `JSON.parse` checks the value itself. */
  #findEnd(): number {
    const nesting = new Nesting()
    let index = this.#at
    for (;;) {
      if (index === this.#bytes.length) {
        const length = index - this.#at
        if (length > MAX_PIECE_BYTES) this.fail(`a value is longer than ${MAX_PIECE_BYTES} bytes`)
        if (!this.#fill(this.#at)) return this.#bytes.length
        index = length
      }
      if (nesting.endsBefore(this.#bytes[index] as number)) return index
      index += 1
    }
  }

  /**
   * Reads more bytes. Drops the bytes before `from`, so that the byte at `from` becomes the first byte. Returns false
   * at the end.
   */
  #fill(from: number): boolean {
    const kept = this.#bytes.subarray(from)
    // reads at least as many bytes as the window already contains, so that a long value is copied only a few times
    const more = this.#read(Math.max(READ_BYTES, kept.length))
    if (more.length === 0) return false
    this.#bytes = kept.length === 0 ? more : Buffer.concat([kept, more])
    this.#before += from
    this.#at -= from
    return true
  }
}

/** Nesting depth of lists and objects in a value that is read byte by byte. */
class Nesting {
  #depth = 0
  #inText = false
  #isEscaped = false

  /** Returns true if the value ended before this byte. */
  endsBefore(byte: number): boolean {
    if (this.#inText) {
      this.#inText = this.#isEscaped || byte !== QUOTE
      this.#isEscaped = !this.#isEscaped && byte === BACKSLASH
      return false
    }
    if (this.#depth === 0 && isDelimiter(byte)) return true
    if (byte === QUOTE) this.#inText = true
    else if (byte === OBJECT || byte === LIST) this.#depth += 1
    else if (byte === OBJECT_END || byte === LIST_END) this.#depth -= 1
    return false
  }
}

function isDelimiter(byte: number): boolean {
  return byte === COMMA || byte === COLON || byte === OBJECT_END || byte === LIST_END
}
