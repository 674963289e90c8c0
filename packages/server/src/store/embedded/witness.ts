import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Mark } from '../epochs.ts'

/** Content of the commit marker: the last known state of an embedded database. */
export interface Sighting extends Mark {
  /** True if a server has the database open; false after a graceful shutdown. */
  readonly isOpen: boolean
  /** Distinguishes the file from all others at its path (see `identityOf`). */
  readonly identity: string
}

/** Longer than any sighting; each one overwrites the previous one within one disk sector. */
const BYTES = 256
const OWNER_ONLY = 0o600

/** Reads a commit marker. Returns undefined if there is none or it is unreadable. */
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
 * Records that a new database is still empty, before its file is created. If the server is killed in between, it leaves
 * an empty file behind, which would otherwise look like a database that has lost its log. Throws the errors of the file
 * system.
 */
export function noteBeginning(path: string): void {
  const mark = { epoch: '', id: 0, madeAt: null }
  new Witness(path, { mark, identity: '', warn: () => {} }).close()
}

/** True if a server has begun to create the database, and may not have finished. */
export function isBeginning(last: Sighting | undefined): boolean {
  return last?.epoch === ''
}

/** Initial content of the commit marker. */
export interface WitnessDeps {
  readonly mark: Mark
  readonly identity: string
  /** Called once if the marker cannot be written. */
  readonly warn: (line: string) => void
}

/**
 * Commit marker: a file next to an embedded database with the position of its last commit. A database that was set
 * back, or has lost its log, cannot detect that by itself. A write takes about a microsecond and is not synced; a
 * marker that lags behind causes no false alarm.
 */
export class Witness {
  readonly #file: number
  readonly #identity: string
  readonly #warn: (line: string) => void
  #mark: Mark
  #isOpen = true
  #isFailing = false

  /** Creates the file if missing, and records that the database is open. Throws the errors of the file system. */
  constructor(path: string, { mark, identity, warn }: WitnessDeps) {
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, OWNER_ONLY)
    this.#identity = identity
    this.#warn = warn
    this.#mark = mark
    this.#write({ isSynced: true })
  }

  /** Records the state of the database, even after `ending`. Never throws. */
  note(mark: Mark): void {
    this.#mark = mark
    this.#write()
  }

  /** Records that the database is about to be closed gracefully. Never throws. */
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
