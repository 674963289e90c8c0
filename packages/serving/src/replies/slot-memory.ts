import type { Loan, Surroundings } from '@burgee/kit/http/content'
import { CopyMemory } from './wasm-copy-loop.ts'

/** Of every slot, before the bytes that are lent. */
export const HEADROOM_BYTES = 1024

/**
 * Memory of fixed size: data first, then slots that are lent, the one that came back last first, then one slot that
 * never is. Whoever needs more makes a larger one; loans of this one stay what they are.
 */
export class SlotMemory extends CopyMemory {
  /** Where slots begin; all before may be data, but for the reserved bytes. */
  readonly dataBytes: number
  readonly slotBytes: number
  /** How many slots may be lent. */
  readonly slots: number
  /** Where slots begin that came back. */
  readonly #free: number[] = []
  #touched = 0

  constructor(dataBytes: number, slotBytes: number, slots: number) {
    super(dataBytes + (slots + 1) * slotBytes)
    this.dataBytes = dataBytes
    this.slotBytes = slotBytes
    this.slots = slots
  }

  /** Where the slot begins that is never lent. */
  get scratch(): number {
    return this.dataBytes + this.slots * this.slotBytes
  }

  /** Where a slot begins that nobody else has until it is given back; undefined when all are lent. */
  take(): number | undefined {
    const known = this.#free.pop()
    if (known !== undefined || this.#touched === this.slots) return known
    this.#touched += 1
    return this.dataBytes + (this.#touched - 1) * this.slotBytes
  }

  /** Takes back the slot that begins there. */
  giveBack(slot: number): void {
    this.#free.push(slot)
  }
}

/** Bytes in a slot, behind its headroom. */
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

  /** A second time is without effect. */
  giveBack(): void {
    this.#owner?.giveBack(this.#slot)
    this.#owner = undefined
  }
}
