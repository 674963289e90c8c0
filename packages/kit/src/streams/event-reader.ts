/** A parsed event. */
export interface ParsedEvent {
  /** Name of the event; '' if the stream has named none. */
  readonly event: string
  /**
   * Id of this event or, if the event has none, the id of the last event before it that had one; '' if there was none.
   */
  readonly id: string
  readonly data: string
}

const LINE_END = /\r\n|\n|\r/g
const FIELD = /^([^:]*)(?:: ?([\s\S]*))?$/

/**
 * Parses the events of a stream from chunks of any size. Skips comments, unknown fields and an incomplete last event.
 * The size of an event is limited. Source: WHATWG HTML, "Parsing an event stream".
 */
export class EventReader {
  readonly #maxCharacters: number
  readonly #decoder = new TextDecoder()
  /** Parts of the current line, which is not complete yet. */
  #line: string[] = []
  #data: string[] = []
  #length = 0
  #event = ''
  #id = ''
  /** True if the last character was a CR. If an LF follows, it belongs to the same line break. */
  #isAfterReturn = false

  /** @param mostCharacters maximum number of characters per event */
  constructor(mostCharacters: number) {
    this.#maxCharacters = mostCharacters
  }

  /** Returns the events that are completed by a chunk. Throws an Error if an event exceeds the maximum size. */
  read(piece: Uint8Array): ParsedEvent[] {
    const events: ParsedEvent[] = []
    let text = this.#decoder.decode(piece, { stream: true })
    if (this.#isAfterReturn && text.startsWith('\n')) text = text.slice(1)
    if (text !== '') this.#isAfterReturn = text.endsWith('\r')
    let from = 0
    for (const { 0: end, index } of text.matchAll(LINE_END)) {
      this.#grow(text.slice(from, index))
      from = index + end.length
      const line = this.#line.join('')
      this.#line = []
      if (line !== '') this.#take(line)
      else {
        const event = this.#dispatch()
        if (event !== undefined) events.push(event)
      }
    }
    this.#grow(text.slice(from))
    return events
  }

  #grow(part: string): void {
    this.#length += part.length
    if (this.#length > this.#maxCharacters) {
      throw new Error(`An event of the stream is larger than ${this.#maxCharacters} characters`)
    }
    if (part !== '') this.#line.push(part)
  }

  #take(line: string): void {
    const [, field, value = ''] = FIELD.exec(line) ?? []
    if (field === 'data') this.#data.push(value)
    else {
      // lines that are not stored do not count toward the maximum size
      this.#length -= line.length
      if (field === 'event') this.#event = value
      else if (field === 'id' && !value.includes('\0')) this.#id = value
    }
  }

  #dispatch(): ParsedEvent | undefined {
    const [data, event] = [this.#data, this.#event]
    this.#data = []
    this.#event = ''
    this.#length = 0
    return data.length === 0 ? undefined : { event, id: this.#id, data: data.join('\n') }
  }
}
