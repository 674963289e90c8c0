import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { OutageLog } from '@burgee/kit/log/outage-log'
import type { Position } from '../../epochs.ts'

/** Content of the commit marker: the state of an embedded database when the marker was last written. */
export interface CommitMarkerContent extends Position {
  /** True if a server has the database open; false after a graceful shutdown. */
  readonly isOpen: boolean
  /** Identity of the database file (see `getFileIdentity`), from which a replaced file is recognized. */
  readonly identity: string
}

/**
 * Size of the marker file. Larger than the longest content, but small enough for one disk sector, so that each write
 * replaces the previous content as a whole.
 */
const MARKER_BYTES = 256
const OWNER_ONLY = 0o600

/** Reads a commit marker. Returns undefined if the marker is missing or malformed. */
export function readCommitMarker(path: string): CommitMarkerContent | undefined {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as CommitMarkerContent
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
 * Before the file of a new database is created, records that the database is still empty. Without this record, the
 * empty file left by a server that was killed during creation would look like a database whose write-ahead log is
 * missing. Throws errors of the file system.
 */
export function recordBeginning(path: string): void {
  const mark = { epoch: '', id: 0, madeAt: null }
  new CommitMarker(path, { position: mark, identity: '', warn: () => {} }).close()
}

/** True if a server has started to create the database, and may have been interrupted. */
export function isBeginning(last: CommitMarkerContent | undefined): boolean {
  return last?.epoch === ''
}

/** Dependencies of the commit marker. */
export interface CommitMarkerDeps {
  readonly position: Position
  readonly identity: string
  /** Called once if writing the marker fails. */
  readonly warn: (line: string) => void
}

/**
 * Commit marker: a file next to an embedded database that records the position of the last commit. The marker reveals
 * whether the database was replaced by an older copy or has lost its write-ahead log. The database itself does not
 * reveal this. Writing the marker takes about a microsecond and does not sync it to disk. A marker that is older than
 * the database is not an error.
 */
export class CommitMarker {
  readonly #file: number
  readonly #identity: string
  readonly #outage: OutageLog
  #mark: Position
  #isOpen = true

  /**
   * Creates the marker file if it is missing, and records that the database is open. Throws errors of the file system.
   */
  constructor(path: string, { position, identity, warn }: CommitMarkerDeps) {
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, OWNER_ONLY)
    this.#identity = identity
    this.#outage = new OutageLog({
      begins: (error) => warn(`Cannot write the commit marker next to the database: ${String(error)}`),
      ends: () => warn('Writes of the commit marker recovered'),
    })
    this.#mark = position
    this.#write({ isSynced: true })
  }

  /** Records the current state of the database. Can also be called after `recordEnding`. Never throws. */
  record(mark: Position): void {
    this.#mark = mark
    this.#write()
  }

  /** Records that the database is about to be closed gracefully. Never throws. */
  recordEnding(): void {
    this.#isOpen = false
    this.#write({ isSynced: true })
  }

  close(): void {
    closeSync(this.#file)
  }

  #write({ isSynced = false } = {}): void {
    const sighting: CommitMarkerContent = { ...this.#mark, isOpen: this.#isOpen, identity: this.#identity }
    try {
      writeSync(this.#file, JSON.stringify(sighting).padEnd(MARKER_BYTES), 0)
      if (isSynced) fsyncSync(this.#file)
      this.#outage.succeed()
    } catch (error) {
      this.#outage.fail(error)
    }
  }
}
