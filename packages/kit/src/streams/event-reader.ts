/** One event as it was read. */
export interface ReadEvent {
  /** '' where the stream gives none. */
  readonly event: string
  /** Of this event or of the last one before that had one; '' before the first. */
  readonly id: string
  readonly data: string
}

const LINE_END = /\r\n|\n|\r/g
const FIELD = /^([^:]*)(?:: ?([\s\S]*))?$/

/**
 * Reads the events of a stream out of its bytes, in whatever pieces they come. Comments and fields of no meaning are left out, and
 * so is what the stream breaks off in. An event holds no more than a bound. Source: WHATWG HTML, "Parsing an event stream".
 */
export class EventReader {
  readonly #mostCharacters: number
  readonly #decoder = new TextDecoder()
  /** Of a line whose end has not come. */
  #line: string[] = []
  #data: string[] = []
  #length = 0
  #event = ''
  #id = ''
  /** A line end that may be the first half of one. */
  #isAfterReturn = false

  /** @param mostCharacters of one event */
  constructor(mostCharacters: number) {
    this.#mostCharacters = mostCharacters
  }

  /** Events that end within a piece. Throws an Error for one that is larger than the bound. */
  read(piece: Uint8Array): ReadEvent[] {
    const events: ReadEvent[] = []
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
    if (this.#length > this.#mostCharacters) {
      throw new Error(`An event of the stream is larger than ${this.#mostCharacters} characters`)
    }
    if (part !== '') this.#line.push(part)
  }

  #take(line: string): void {
    const [, field, value = ''] = FIELD.exec(line) ?? []
    if (field === 'data') this.#data.push(value)
    else {
      // what is not kept does not count
      this.#length -= line.length
      if (field === 'event') this.#event = value
      else if (field === 'id' && !value.includes('\0')) this.#id = value
    }
  }

  #dispatch(): ReadEvent | undefined {
    const [data, event] = [this.#data, this.#event]
    this.#data = []
    this.#event = ''
    this.#length = 0
    return data.length === 0 ? undefined : { event, id: this.#id, data: data.join('\n') }
  }
}
