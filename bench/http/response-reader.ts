/** Parts of a response that the benchmark uses. */
export interface ParsedResponse {
  readonly status: string
  readonly etag: string | undefined
  /** Size on the wire, including chunk framing. */
  readonly bodyBytes: number
}

const HEAD_END = '\r\n\r\n'
const LINE_END = '\r\n'
const CHUNKS_END = '\r\n0\r\n\r\n'

/** Parser for the responses of a connection with at most one request in flight. Throws on anything but HTTP. */
export class ResponseReader {
  readonly #onResponse: (response: ParsedResponse) => void
  #head = ''
  #status = ''
  #etag: string | undefined
  /** Remaining body bytes; undefined while the head is read; Infinity for chunked bodies. */
  #missing: number | undefined
  #bodyBytes = 0
  #tail = ''

  constructor(onResponse: (response: ParsedResponse) => void) {
    this.#onResponse = onResponse
  }

  /** Parses received bytes. */
  read(chunk: Buffer): void {
    if (this.#missing === undefined) this.#readStart(chunk)
    else this.#readBody(chunk)
  }

  #readStart(chunk: Buffer): void {
    const before = this.#head.length
    this.#head += chunk.toString('latin1')
    const end = this.#head.indexOf(HEAD_END)
    if (end === -1) return
    this.#readHead(this.#head.slice(0, end))
    const rest = chunk.subarray(end + HEAD_END.length - before)
    this.#head = ''
    if (this.#missing === 0) this.#finish()
    else if (rest.length > 0) this.#readBody(rest)
  }

  #readHead(head: string): void {
    if (!head.startsWith('HTTP/1.1 ')) throw new Error(`No HTTP response: ${head.slice(0, 40)}`)
    this.#status = head.slice(9, 12)
    this.#etag = /\r\netag: (.*)/i.exec(head)?.[1]
    this.#bodyBytes = 0
    // the last chunk of an empty body follows the line end of the head directly
    this.#tail = LINE_END
    const hasNoBody = this.#status === '304' || this.#status === '204'
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    const whole = length === undefined ? Number.POSITIVE_INFINITY : Number(length)
    this.#missing = hasNoBody ? 0 : whole
  }

  #readBody(chunk: Buffer): void {
    this.#bodyBytes += chunk.length
    if (this.#missing === Number.POSITIVE_INFINITY) {
      this.#tail = (this.#tail + chunk.toString('latin1', Math.max(0, chunk.length - CHUNKS_END.length))).slice(
        -CHUNKS_END.length,
      )
      if (this.#tail === CHUNKS_END) this.#finish()
      return
    }
    this.#missing = (this.#missing ?? 0) - chunk.length
    if (this.#missing === 0) this.#finish()
  }

  #finish(): void {
    this.#missing = undefined
    this.#onResponse({ status: this.#status, etag: this.#etag, bodyBytes: this.#bodyBytes })
  }
}
