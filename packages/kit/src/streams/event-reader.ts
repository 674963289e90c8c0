/** A parsed event. */
export interface ParsedEvent {
  /** Name of the event; '' if the stream gives no name. */
  readonly event: string
  /** Id of this event or, if it has none, of the last earlier event with an id; '' if there was no id. */
  readonly id: string
  readonly data: string
}

const LINE_END = /\r\n|\n|\r/g
const FIELD = /^([^:]*)(?:: ?([\s\S]*))?$/

/**
 * Parses the events of a stream from chunks of any size. Skips comments, unknown fields and an incomplete last event.
 * Limits the size of an event. Source: WHATWG HTML, "Parsing an event stream".
 */
export class EventReader {
  readonly #maxCharacters: number
  readonly #decoder = new TextDecoder()
  /** Parts of the current, incomplete line. */
  #line: string[] = []
  #data: string[] = []
  #length = 0
  #event = ''
  #id = ''
  /** True after a CR. An LF that follows belongs to the same line end. */
  #isAfterReturn = false

  /** @param mostCharacters maximum characters per event */
  constructor(mostCharacters: number) {
    this.#maxCharacters = mostCharacters
  }

  /** Returns the events that end within a chunk. Throws an Error for an event above the maximum size. */
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
      // lines that are not stored do not count toward the maximum
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
