import type { Loan, Surroundings } from '@burgee/kit/http/content'
import { CopyMemory } from './wasm-copy-loop.ts'

/** Number of bytes that remain free at the start of every slot, for the head of a response. */
export const HEADROOM_BYTES = 1024

/**
 * Memory of a fixed size: the data, then the slots, then one scratch slot. A slot is reserved for a response until the
 * sender returns it. The slot that was returned most recently is reused first. The scratch slot is never reserved.
 * Growing allocates new memory; slots in use remain in the old memory.
 */
export class SlotMemory extends CopyMemory {
  /** Offset of the first slot. All bytes before the first slot are data, except the reserved bytes. */
  readonly dataBytes: number
  readonly slotBytes: number
  /** Maximum number of slots that can be reserved at the same time. */
  readonly slots: number
  /** Offsets of the free slots. */
  readonly #free: number[] = []
  #touched = 0

  constructor(dataBytes: number, slotBytes: number, slots: number) {
    super(dataBytes + (slots + 1) * slotBytes)
    this.dataBytes = dataBytes
    this.slotBytes = slotBytes
    this.slots = slots
  }

  /** Offset of the scratch slot. */
  get scratch(): number {
    return this.dataBytes + this.slots * this.slotBytes
  }

  /** Reserves a slot until it is returned. Returns the offset of the slot, or undefined if all slots are in use. */
  take(): number | undefined {
    const known = this.#free.pop()
    if (known !== undefined || this.#touched === this.slots) return known
    this.#touched += 1
    return this.dataBytes + (this.#touched - 1) * this.slotBytes
  }

  /** Frees the slot that starts at this offset. */
  giveBack(slot: number): void {
    this.#free.push(slot)
  }
}

/** Bytes of a reserved slot that follow its headroom. */
export class SlotLoan implements Loan, Surroundings {
  readonly memory: Buffer
  readonly start: number
  readonly end: number
  readonly headroomBytes = HEADROOM_BYTES
  readonly #slot: number
  #owner: SlotMemory | undefined

  constructor(owner: SlotMemory, slot: number, lengthBytes: number) {
    this.memory = owner.bytes
    this.start = slot + HEADROOM_BYTES
    this.end = this.start + lengthBytes
    this.#slot = slot
    this.#owner = owner
  }

  get bytes(): Buffer {
    return this.memory.subarray(this.start, this.end)
  }

  get surroundings(): Surroundings {
    return this
  }

  /** Returns the slot to its memory. Repeated calls have no effect. */
  release(): void {
    this.#owner?.giveBack(this.#slot)
    this.#owner = undefined
  }
}
