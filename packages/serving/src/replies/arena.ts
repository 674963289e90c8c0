import type { Loan } from '@burgee/kit/http/content'
import { type JsonEnvelope, TOGGLES_ENVELOPE } from './json-envelope.ts'
import { HEADROOM_BYTES, SlotLoan, SlotMemory } from './slot-memory.ts'
import { RESERVED_BYTES } from './wasm-copy-loop.ts'

const [OPENING = 0] = Buffer.from('[')
const FIRST_DATA_BYTES = 64 * 1024
/** Size above which the data area grows by a smaller factor, to limit unused memory. */
const LARGE_DATA_BYTES = 1024 * 1024
const PAGE_BYTES = 4096
const FIRST_SLOTS = 4
/** Maximum total size of all slots, unless a single slot is larger. */
const MAX_SLOT_BYTES = 16 * 1024 * 1024

/** Byte range of a piece. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Buffer for many small pieces of bytes, followed by slots. A response is assembled in a slot by copying pieces. Pieces
 * keep their offsets, and no offset is 0.
 */
export class Arena {
  #memory: SlotMemory
  #end: number

  /** @param expectedBytes total size of all pieces, if known */
  constructor(expectedBytes = 0) {
    this.#memory = new SlotMemory(roundUpToPages(FIRST_DATA_BYTES + expectedBytes), PAGE_BYTES, FIRST_SLOTS)
    this.#end = RESERVED_BYTES
  }

  /** Number of used bytes. */
  get used(): number {
    return this.#end
  }

  /** Total size of all slots, free or in use, in bytes. */
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

  /** Copies a piece from another arena and returns its new offset. */
  copyFrom(from: Arena, start: number, end: number): number {
    const at = this.#end
    this.#reserve(at + end - start)
    from.#memory.bytes.copy(this.#memory.bytes, at, start, end)
    this.#end += end - start
    return at
  }

  /**
   * Assembles a response in an envelope such as `{"toggles":[…]}`. Each piece of the response begins with a comma. Uses
   * a slot, which the receiver gives back after sending, or a new Buffer if too many slots are in use.
   *
   * @param spans start and end of each span of pieces, from entry 1 on
   * @param count number of used entries of `spans`, entry 0 included
   * @param length as returned by `getEnvelopedLength`
   */
  lend(spans: Uint32Array, count: number, length: number, frame = TOGGLES_ENVELOPE): Loan {
    const slot = this.#takeSlot(HEADROOM_BYTES + length)
    if (slot === undefined) return { bytes: this.copy(spans, count, length, frame), release: () => {} }
    this.#assemble(spans, count, slot + HEADROOM_BYTES, frame)
    return new SlotLoan(this.#memory, slot, length)
  }

  /** Assembles a response like `lend`, but in a new Buffer. */
  copy(spans: Uint32Array, count: number, length: number, frame = TOGGLES_ENVELOPE): Buffer {
    this.#fit(length)
    const { bytes, scratch } = this.#memory
    this.#assemble(spans, count, scratch, frame)
    return Buffer.from(bytes.subarray(scratch, scratch + length))
  }

  #assemble(spans: Uint32Array, count: number, begin: number, { prefix, suffix }: JsonEnvelope): void {
    const { bytes } = this.#memory
    prefix.copy(bytes, begin)
    // the first piece's comma overwrites the opening bracket, which is then restored
    const first = count === 1 ? begin + prefix.length : begin + prefix.length - 1
    const at = this.#memory.copySpans(spans, count, first)
    bytes[begin + prefix.length - 1] = OPENING
    suffix.copy(bytes, at)
  }

  /** Reserves a slot of at least this size. Returns its offset, or undefined if too many slots are in use. */
  #takeSlot(bytes: number): number | undefined {
    this.#fit(bytes)
    const slot = this.#memory.take()
    const { dataBytes, slotBytes, slots } = this.#memory
    if (slot !== undefined || 2 * slots * slotBytes > MAX_SLOT_BYTES) return slot
    this.#move(dataBytes, slotBytes, 2 * slots)
    return this.#memory.take()
  }

  /** Enlarges the slots if this size does not fit. Adds a margin, because the next response may be longer. */
  #fit(bytes: number): void {
    const { dataBytes, slotBytes, slots } = this.#memory
    if (bytes <= slotBytes) return
    const larger = roundUpToPages(1.25 * bytes)
    this.#move(dataBytes, larger, Math.max(1, Math.min(slots, Math.floor(MAX_SLOT_BYTES / larger))))
  }

  /** Makes room for data. */
  #reserve(bytes: number): void {
    const { dataBytes, slotBytes, slots } = this.#memory
    if (bytes <= dataBytes) return
    const larger = (dataBytes < LARGE_DATA_BYTES ? 2 : 1.25) * dataBytes
    this.#move(roundUpToPages(Math.max(bytes, larger)), slotBytes, slots)
  }

  /** Moves the data to new memory. Slots in use stay in the old memory until the senders give them back. */
  #move(dataBytes: number, slotBytes: number, slots: number): void {
    const memory = new SlotMemory(dataBytes, slotBytes, slots)
    this.#memory.bytes.copy(memory.bytes, 0, 0, this.#end)
    this.#memory = memory
  }
}

function roundUpToPages(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES
}
