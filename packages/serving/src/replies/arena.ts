import type { Loan } from '@burgee/kit/http/content'
import { type JsonEnvelope, TOGGLES_ENVELOPE } from './json-envelope.ts'
import { HEADROOM_BYTES, SlotLoan, SlotMemory } from './slot-memory.ts'
import { RESERVED_BYTES } from './wasm-copy-loop.ts'

const [OPENING = 0] = Buffer.from('[')
const FIRST_DATA_BYTES = 64 * 1024
/** Size above which the data area grows by a smaller factor, so that less memory remains unused. */
const LARGE_DATA_BYTES = 1024 * 1024
const PAGE_BYTES = 4096
const FIRST_SLOTS = 4
/** Maximum total size of all slots; exceeded only if a single slot is larger. */
const MAX_SLOT_BYTES = 16 * 1024 * 1024

/** Byte range that a piece occupies in the buffer. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Buffer that holds many small pieces of bytes, followed by slots. A response is assembled by copying pieces into a
 * slot. A piece never moves to another offset, and no piece is at offset 0.
 */
export class Arena {
  #memory: SlotMemory
  #end: number

  /** @param expectedBytes total size of all pieces, if known */
  constructor(expectedBytes = 0) {
    this.#memory = new SlotMemory(roundUpToPages(FIRST_DATA_BYTES + expectedBytes), PAGE_BYTES, FIRST_SLOTS)
    this.#end = RESERVED_BYTES
  }

  /** Number of bytes in use. */
  get used(): number {
    return this.#end
  }

  /** Total size of all slots in bytes, whether free or in use. */
  get lendable(): number {
    return this.#memory.slots * this.#memory.slotBytes
  }

  /** Adds a piece. */
  add(text: string): ByteRange {
    const start = this.#end
    this.#reserve(start + Buffer.byteLength(text))
    this.#end += this.#memory.bytes.write(text, start)
    return { start, end: this.#end }
  }

  /** Copies a piece from another arena and returns its offset in this arena. */
  copyFrom(from: Arena, start: number, end: number): number {
    const at = this.#end
    this.#reserve(at + end - start)
    from.#memory.bytes.copy(this.#memory.bytes, at, start, end)
    this.#end += end - start
    return at
  }

  /**
   * Assembles a response in an envelope such as `{"toggles":[…]}`. Each piece of the response starts with a comma. Uses
   * a slot, which the receiver returns after sending, or a new Buffer if too many slots are in use.
   *
   * @param spans start and end of each span of pieces, beginning at entry 1
   * @param count number of entries of `spans` in use, including entry 0
   * @param length as returned by `getEnvelopedLength`
   */
  lend(spans: Uint32Array, count: number, length: number, frame = TOGGLES_ENVELOPE): Loan {
    const slot = this.#takeSlot(HEADROOM_BYTES + length)
    if (slot === undefined) return { bytes: this.copy(spans, count, length, frame), release: () => {} }
    this.#assemble(spans, count, slot + HEADROOM_BYTES, frame)
    return new SlotLoan(this.#memory, slot, length)
  }

  /** Assembles a response in the same way as `lend`, but in a new Buffer. */
  copy(spans: Uint32Array, count: number, length: number, frame = TOGGLES_ENVELOPE): Buffer {
    this.#fit(length)
    const { bytes, scratch } = this.#memory
    this.#assemble(spans, count, scratch, frame)
    return Buffer.from(bytes.subarray(scratch, scratch + length))
  }

  #assemble(spans: Uint32Array, count: number, begin: number, { prefix, suffix }: JsonEnvelope): void {
    const { bytes } = this.#memory
    prefix.copy(bytes, begin)
    // the comma of the first piece overwrites the opening bracket, which is then restored
    const first = count === 1 ? begin + prefix.length : begin + prefix.length - 1
    const at = this.#memory.copySpans(spans, count, first)
    bytes[begin + prefix.length - 1] = OPENING
    suffix.copy(bytes, at)
  }

  /**
   * Reserves a slot that is at least this large. Returns the offset of the slot, or undefined if too many slots are in
   * use.
   */
  #takeSlot(bytes: number): number | undefined {
    this.#fit(bytes)
    const slot = this.#memory.take()
    const { dataBytes, slotBytes, slots } = this.#memory
    if (slot !== undefined || 2 * slots * slotBytes > MAX_SLOT_BYTES) return slot
    this.#move(dataBytes, slotBytes, 2 * slots)
    return this.#memory.take()
  }

  /**
   * Enlarges all slots if they are too small for this size. Adds a margin to the size, because the next response may be
   * longer.
   */
  #fit(bytes: number): void {
    const { dataBytes, slotBytes, slots } = this.#memory
    if (bytes <= slotBytes) return
    const larger = roundUpToPages(1.25 * bytes)
    this.#move(dataBytes, larger, Math.max(1, Math.min(slots, Math.floor(MAX_SLOT_BYTES / larger))))
  }

  /** Ensures that there is room for more data. */
  #reserve(bytes: number): void {
    const { dataBytes, slotBytes, slots } = this.#memory
    if (bytes <= dataBytes) return
    const larger = (dataBytes < LARGE_DATA_BYTES ? 2 : 1.25) * dataBytes
    this.#move(roundUpToPages(Math.max(bytes, larger)), slotBytes, slots)
  }

  /**
   * Moves the data to new memory of another size. Slots in use remain in the old memory until the senders return them.
   */
  #move(dataBytes: number, slotBytes: number, slots: number): void {
    const memory = new SlotMemory(dataBytes, slotBytes, slots)
    this.#memory.bytes.copy(memory.bytes, 0, 0, this.#end)
    this.#memory = memory
  }
}

function roundUpToPages(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES
}
