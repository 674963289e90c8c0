/** One event of a stream. Source: WHATWG HTML, "Server-sent events". */
export interface EventParts {
  /** Name of the event; 'message' where it is left out. No line breaks. */
  readonly event?: string | undefined
  /** What a client says as `Last-Event-ID` when it comes again. No line breaks, no NUL. */
  readonly id?: string | undefined
  readonly data: string
}

const LINE_BREAK = /\r\n|\r|\n/
const LINE_BREAKS = /\r\n|\r|\n/g
const CHUNK_END = '\r\n'

/**
 * An event as it goes over the wire: encoded once, however many streams it is sent to. To be made once per change and
 * scope and handed to each stream.
 */
export class EventMessage {
  /** The bytes as they are. Not to be changed. */
  readonly plain: Buffer
  /** The same bytes as one chunk of the chunked coding (RFC 9112, 7.1). Not to be changed. */
  readonly chunk: Buffer

  constructor(text: string) {
    const lengthBytes = Buffer.byteLength(text)
    const head = `${lengthBytes.toString(16)}\r\n`
    // one memory for both forms
    this.chunk = Buffer.allocUnsafe(head.length + lengthBytes + CHUNK_END.length)
    this.chunk.write(head, 'latin1')
    this.chunk.write(text, head.length)
    this.chunk.write(CHUNK_END, head.length + lengthBytes, 'latin1')
    this.plain = this.chunk.subarray(head.length, head.length + lengthBytes)
  }
}

/** An event for clients. Throws TypeError for a name or an id that cannot be sent. */
export function eventMessage({ event, id, data }: EventParts): EventMessage {
  if (event !== undefined && LINE_BREAK.test(event)) throw new TypeError('The name of an event has no line breaks')
  if (id !== undefined && (LINE_BREAK.test(id) || id.includes('\0'))) throw new TypeError('An id is one line')
  const first = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`
  return new EventMessage(`${first}data: ${data.replaceAll(LINE_BREAKS, '\ndata: ')}\n\n`)
}

/** A line that clients ignore, and that keeps connections alive. Throws TypeError for more than one line. */
export function commentMessage(text: string): EventMessage {
  if (LINE_BREAK.test(text)) throw new TypeError('A comment is one line')
  return new EventMessage(`: ${text}\n\n`)
}
