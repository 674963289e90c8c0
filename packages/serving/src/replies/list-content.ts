import { type Coding, compress, countCompressedBytes } from '@burgee/kit/http/compression'
import type { Content, Loan } from '@burgee/kit/http/content'
import { compressQuickly } from '@burgee/kit/http/quick-compression'
import type { Fragments } from './fragments.ts'
import type { ReplyOutline } from './reply-outline.ts'

/** Response body for a list, which is assembled when it is needed. */
export class ListContent implements Content {
  readonly etag: string
  readonly length: number
  readonly #fragments: Fragments
  #outline: Omit<ReplyOutline, 'etag'> | undefined
  #body: Buffer | undefined
  #onGrow: (() => void) | undefined

  constructor(fragments: Fragments, outline: ReplyOutline) {
    this.etag = outline.etag
    this.length = outline.length
    this.#fragments = fragments
    this.#outline = outline
  }

  get sizeBytes(): number {
    if (this.#body === undefined) return (this.#outline?.count ?? 0) * Uint32Array.BYTES_PER_ELEMENT
    return this.#body.length + countCompressedBytes(this.#body)
  }

  /**
   * Copies the outline if it will still be needed. Must be called before the memory of the outline is reused for
   * another list.
   */
  keepOutline(): void {
    if (this.#outline === undefined) return
    const { spans, count, length, envelope } = this.#outline
    this.#outline = { spans: spans.slice(0, count), count, length, envelope }
  }

  /**
   * Marks this content as cached. A cached content stores its compressed forms, and calls `grow` when it needs more
   * memory.
   */
  markCached(grow: () => void): void {
    this.#onGrow = grow
  }

  bytes(): Buffer {
    if (this.#body !== undefined) return this.#body
    const body = this.#fragments.copy(this.#takeOutline())
    this.#body = body
    this.#onGrow?.()
    return body
  }

  /**
   * Returns the bytes. Unless the list is cached, assembles it in a slot, which the receiver must release after
   * sending.
   */
  lend(): Loan {
    if (this.#onGrow !== undefined || this.#body !== undefined) return { bytes: this.bytes(), release: () => {} }
    return this.#fragments.lend(this.#takeOutline())
  }

  #takeOutline(): Omit<ReplyOutline, 'etag'> {
    const outline = this.#outline
    if (outline === undefined) throw new Error('A list has neither outline nor bytes')
    this.#outline = undefined
    return outline
  }

  encoded(coding: Coding): Buffer | Promise<Buffer> {
    const grow = this.#onGrow
    if (grow === undefined) return this.#encodedOnce(coding)
    return compress(this.bytes(), coding).then((bytes) => {
      grow()
      return bytes
    })
  }

  /**
   * Compresses directly from a slot, so that new memory is needed only for the compressed form. Returns the
   * uncompressed form if the compression fails.
   */
  #encodedOnce(coding: Coding): Buffer | Promise<Buffer> {
    const loan = this.lend()
    const back = (small: Buffer) => {
      loan.release()
      return small
    }
    const fail = (error: unknown): never => {
      this.#body = Buffer.from(loan.bytes)
      loan.release()
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
