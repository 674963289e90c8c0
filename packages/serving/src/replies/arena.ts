import type { Loan } from '@burgee/kit/http/content'
import { type Frame, TOGGLES } from './frame.ts'
import { HEADROOM_BYTES, SlotLoan, SlotMemory } from './slot-memory.ts'
import { RESERVED_BYTES } from './wasm-copy-loop.ts'

const [OPENING = 0] = Buffer.from('[')
const FIRST_DATA_BYTES = 64 * 1024
/** From this size on data grow by less at a time, so that not too much memory lies unused. */
const LARGE_DATA_BYTES = 1024 * 1024
const PAGE_BYTES = 4096
const FIRST_SLOTS = 4
/** For all slots together, unless one alone is larger. */
const MOST_SLOT_BYTES = 16 * 1024 * 1024

/** Where a piece of bytes lies. */
export interface Place {
  readonly start: number
  readonly end: number
}

/**
 * Bytes of many small pieces in one Buffer, and behind them the room where some are put together. What was added stays
 * where it is; numbers are offsets, none of them 0.
 */
export class Arena {
  #memory: SlotMemory
  #end: number

  /** @param expectedBytes bytes of all pieces, as far as known */
  constructor(expectedBytes = 0) {
    this.#memory = new SlotMemory(wholePages(FIRST_DATA_BYTES + expectedBytes), PAGE_BYTES, FIRST_SLOTS)
    this.#end = RESERVED_BYTES
  }

  /** Bytes that are taken. */
  get used(): number {
    return this.#end
  }

  /** Bytes of the room that can be lent, whether it is or not. */
  get lendable(): number {
    return this.#memory.slots * this.#memory.slotBytes
  }

  /** Adds a piece. */
  add(text: string): Place {
    const start = this.#end
    this.#reserve(start + Buffer.byteLength(text))
    this.#end += this.#memory.bytes.write(text, start)
    return { start, end: this.#end }
  }

  /** Adds a piece of another arena. */
  take(from: Arena, start: number, end: number): number {
    const at = this.#end
    this.#reserve(at + end - start)
    from.#memory.bytes.copy(this.#memory.bytes, at, start, end)
    this.#end += end - start
    return at
  }

  /**
   * A reply of pieces that each begin with a comma, in a frame: `{"toggles":[…]}`. It lies in memory that other replies used before
   * or, when too much of that is lent, in memory of its own.
   *
   * @param spans start and end of each span of pieces, from entry 1 on
   * @param count how many entries of `spans` count, entry 0 included
   * @param length as `framedLength` says
   */
  lend(spans: Uint32Array, count: number, length: number, frame = TOGGLES): Loan {
    const slot = this.#takeSlot(HEADROOM_BYTES + length)
    if (slot === undefined) return { bytes: this.copy(spans, count, length, frame), giveBack: () => {} }
    this.#assemble(spans, count, slot + HEADROOM_BYTES, frame)
    return new SlotLoan(this.#memory, slot, length)
  }

  /** The same in a Buffer of its own. */
  copy(spans: Uint32Array, count: number, length: number, frame = TOGGLES): Buffer {
    this.#fit(length)
    const { bytes, scratch } = this.#memory
    this.#assemble(spans, count, scratch, frame)
    return Buffer.from(bytes.subarray(scratch, scratch + length))
  }

  #assemble(spans: Uint32Array, count: number, begin: number, { head, tail }: Frame): void {
    const { bytes } = this.#memory
    head.copy(bytes, begin)
    // the first comma comes to lie on the bracket, which is put back
    const first = count === 1 ? begin + head.length : begin + head.length - 1
    const at = this.#memory.copySpans(spans, count, first)
    bytes[begin + head.length - 1] = OPENING
    tail.copy(bytes, at)
  }

  /** Where a slot of at least so many bytes begins, unless too many are lent. */
  #takeSlot(bytes: number): number | undefined {
    this.#fit(bytes)
    const slot = this.#memory.take()
    const { dataBytes, slotBytes, slots } = this.#memory
    if (slot !== undefined || 2 * slots * slotBytes > MOST_SLOT_BYTES) return slot
    this.#move(dataBytes, slotBytes, 2 * slots)
    return this.#memory.take()
  }

  /** Makes slots larger if they are too small, with something to spare: the next reply has another length. */
  #fit(bytes: number): void {
    const { dataBytes, slotBytes, slots } = this.#memory
    if (bytes <= slotBytes) return
    const larger = wholePages(1.25 * bytes)
    this.#move(dataBytes, larger, Math.max(1, Math.min(slots, Math.floor(MOST_SLOT_BYTES / larger))))
  }

  /** Makes so much room for data. */
  #reserve(bytes: number): void {
    const { dataBytes, slotBytes, slots } = this.#memory
    if (bytes <= dataBytes) return
    const larger = (dataBytes < LARGE_DATA_BYTES ? 2 : 1.25) * dataBytes
    this.#move(wholePages(Math.max(bytes, larger)), slotBytes, slots)
  }

  /** Moves the data to new memory. Slots that are lent stay in the old memory until they come back. */
  #move(dataBytes: number, slotBytes: number, slots: number): void {
    const memory = new SlotMemory(dataBytes, slotBytes, slots)
    this.#memory.bytes.copy(memory.bytes, 0, 0, this.#end)
    this.#memory = memory
  }
}

function wholePages(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES
}
