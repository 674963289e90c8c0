import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Mark } from '../epochs.ts'

/** What was known of an embedded database when it was last seen. */
export interface Sighting extends Mark {
  /** Whether a server had it open: not any more, once that has ended in good order. */
  readonly isOpen: boolean
  /** Tells the file from every other one at its path (see `identityOf`). */
  readonly identity: string
}

/** Longer than any sighting: each one is written over the one before, in one piece of the disk. */
const BYTES = 256
const OWNER_ONLY = 0o600

/** Reads what a witness says; undefined where there is none, or none that can be read. */
export function readWitness(path: string): Sighting | undefined {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Sighting
    const isWhole =
      typeof value.epoch === 'string' &&
      typeof value.id === 'number' &&
      typeof value.isOpen === 'boolean' &&
      typeof value.identity === 'string'
    return isWhole ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Notes, before the file of a new database is made, that nothing was ever in it: a server that is killed meanwhile
 * leaves an empty file behind, which would look like one that has lost its log. Throws what the file system throws.
 */
export function noteBeginning(path: string): void {
  const mark = { epoch: '', id: 0, madeAt: null }
  new Witness(path, { mark, identity: '', warn: () => {} }).close()
}

/** Whether a server has begun to make the database, and nothing says that it came to an end with that. */
export function isBeginning(last: Sighting | undefined): boolean {
  return last?.epoch === ''
}

/** What a witness begins with. */
export interface WitnessDeps {
  readonly mark: Mark
  readonly identity: string
  /** Hears, once, that nothing can be noted. */
  readonly warn: (line: string) => void
}

/**
 * A file beside an embedded database that knows how far it was: what is set back, or has lost its log, cannot tell so
 * by itself. A write takes about a microsecond and is not waited for on the disk: a witness that is behind accuses
 * nobody.
 */
export class Witness {
  readonly #file: number
  readonly #identity: string
  readonly #warn: (line: string) => void
  #mark: Mark
  #isOpen = true
  #isFailing = false

  /** Makes the file where there is none, and notes that the database is open. Throws what the file system throws. */
  constructor(path: string, { mark, identity, warn }: WitnessDeps) {
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, OWNER_ONLY)
    this.#identity = identity
    this.#warn = warn
    this.#mark = mark
    this.#write({ isSynced: true })
  }

  /** Notes what the database holds; after `ending` as well. Never throws. */
  note(mark: Mark): void {
    this.#mark = mark
    this.#write()
  }

  /** The database is about to be closed in good order: from now on it is not open. Never throws. */
  ending(): void {
    this.#isOpen = false
    this.#write({ isSynced: true })
  }

  close(): void {
    closeSync(this.#file)
  }

  #write({ isSynced = false } = {}): void {
    const sighting: Sighting = { ...this.#mark, isOpen: this.#isOpen, identity: this.#identity }
    try {
      writeSync(this.#file, JSON.stringify(sighting).padEnd(BYTES), 0)
      if (isSynced) fsyncSync(this.#file)
    } catch (error) {
      if (!this.#isFailing) this.#warn(`How far the database is could not be noted beside it: ${String(error)}`)
      this.#isFailing = true
    }
  }
}
