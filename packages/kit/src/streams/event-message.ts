/** Parts of one event in an event stream. Source: WHATWG HTML, "Server-sent events". */
export interface EventParts {
  /** Name of the event; default: 'message'. No line breaks. */
  readonly event?: string | undefined
  /** Id that clients send in `Last-Event-ID` when they reconnect. Must not contain line breaks or NUL. */
  readonly id?: string | undefined
  readonly data: string
}

const LINE_BREAK = /\r\n|\r|\n/
const LINE_BREAKS = /\r\n|\r|\n/g
const CHUNK_END = '\r\n'

/**
 * An event as sent on the wire. The event is encoded only once, however many streams send it. Create one message for
 * each change and scope, and send it to every stream.
 */
export class EventMessage {
  /** Plain bytes. Do not modify. */
  readonly plain: Buffer
  /** The encoded event as one chunk of the chunked transfer coding of HTTP (RFC 9112, 7.1). Do not modify. */
  readonly chunk: Buffer

  constructor(text: string) {
    const lengthBytes = Buffer.byteLength(text)
    const head = `${lengthBytes.toString(16)}\r\n`
    // both forms of the event share one buffer
    this.chunk = Buffer.allocUnsafe(head.length + lengthBytes + CHUNK_END.length)
    this.chunk.write(head, 'latin1')
    this.chunk.write(text, head.length)
    this.chunk.write(CHUNK_END, head.length + lengthBytes, 'latin1')
    this.plain = this.chunk.subarray(head.length, head.length + lengthBytes)
  }
}

/** Creates an event. Throws TypeError if the name or id cannot be sent. */
export function createEventMessage({ event, id, data }: EventParts): EventMessage {
  if (event !== undefined && LINE_BREAK.test(event))
    throw new TypeError('The name of an event must not contain line breaks')
  if (id !== undefined && (LINE_BREAK.test(id) || id.includes('\0'))) throw new TypeError('An id is one line')
  const first = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`
  return new EventMessage(`${first}data: ${data.replaceAll(LINE_BREAKS, '\ndata: ')}\n\n`)
}

/**
 * Creates a comment. Clients ignore comments, but comments keep idle connections alive. Throws TypeError if the text
 * has more than one line.
 */
export function createCommentMessage(text: string): EventMessage {
  if (LINE_BREAK.test(text)) throw new TypeError('A comment is one line')
  return new EventMessage(`: ${text}\n\n`)
}
