import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PROCESS_UID, type PrivateTemporaryFolder } from '@burgee/kit/files/private-temporary-folder'
import { removeLeftovers, replaceFile } from '@burgee/kit/files/replace-file'
import {
  type LoadedSnapshot,
  loadDocuments,
  type OpenedSnapshot,
  openSnapshot,
  parseAccess,
  parseHead,
  type SnapshotAccess,
  type SnapshotHead,
  type SnapshotState,
  toLines,
} from './snapshot-state.ts'

const MIB = 1024 * 1024
/**
 * Maximum size of a snapshot file. Larger files are neither written nor read. When a server starts, it reads the whole
 * file at once.
 */
const MAX_BYTES = 512 * MIB
/** Number of characters that are written in one piece. Between two pieces, other work can run. */
const PIECE_CHARACTERS = 256 * 1024
const HEAD_BYTES = 1024
const OWNER_ONLY_FOLDER = 0o700
const WRITABLE_BY_OTHERS = 0o002
const ABANDONED_MS = 7 * 24 * 3_600_000

/** Thrown if the snapshot file cannot be used. The message contains the reason, but nothing that the file contains. */
export class SnapshotRefused extends Error {
  override readonly name = 'SnapshotRefused'
}

/** Result of writing a snapshot. */
export interface WriteResult {
  readonly bytes: number
}

/**
 * Snapshot file from which a server can serve SDKs without its database. The file consists of lines of JSON; the last
 * line contains the SHA-256 of all other lines. Only its owner can read it (mode 0600), and each write replaces the
 * whole file. The snapshot contains flags, segments, allowed origins and token hashes, but no secrets.
 */
export class SnapshotFile {
  readonly path: string
  readonly #shared: PrivateTemporaryFolder | undefined
  #isSwept = false

  /** @param shared folder of the file if all servers of this operating-system user share that folder */
  constructor(path: string, shared?: PrivateTemporaryFolder) {
    this.path = path
    this.#shared = shared
  }

  /**
   * Reads the snapshot without parsing its flags. Resolves with undefined if there is no snapshot. The result keeps the
   * whole content of the file in memory. Rejects with SnapshotRefused if the file is damaged, too large, in another
   * format, a link, or owned or writable by other users. Rejects with file system errors as they are.
   */
  async open(): Promise<OpenedSnapshot | undefined> {
    const bytes = await this.#opened(async (file, size) => {
      if (size > MAX_BYTES) throw new SnapshotRefused(`it is larger than ${MAX_BYTES / MIB} MiB`)
      return file.readFile()
    })
    if (bytes === undefined) return undefined
    const end = bytes.lastIndexOf('\n', bytes.length - 2) + 1
    const sealed = bytes.subarray(0, end)
    if (bytes.subarray(end).toString() !== formatChecksumLine(createHash('sha256').update(sealed).digest('hex'))) {
      throw new SnapshotRefused('it is damaged: its checksum does not match')
    }
    return openSnapshot(sealed) ?? refuseFormat()
  }

  /**
   * Opens the snapshot like `open`, and parses all flags. Also rejects with SnapshotRefused if a flag is in another
   * format.
   */
  async read(): Promise<LoadedSnapshot | undefined> {
    const opened = await this.open()
    return opened && ((await loadDocuments(opened)) ?? refuseFormat())
  }

  /**
   * Reads the tokens, settings and position from the snapshot. The checksum is not verified, so only the beginning of
   * the file is read. Resolves and rejects like `open` in all other cases.
   */
  async readAccess(): Promise<SnapshotAccess | undefined> {
    return this.#opened(async (file) => {
      const lines: string[] = []
      for await (const line of file.readLines({ encoding: 'utf8', autoClose: false, end: MAX_BYTES })) {
        lines.push(line)
        if (lines.length === 2) break
      }
      const [first = '', access = ''] = lines
      return parseAccess(first, access) ?? refuseFormat()
    })
  }

  /**
   * Reads the first line of the snapshot without verifying the checksum. Returns undefined if there is no snapshot or
   * it cannot be read.
   */
  async head(): Promise<SnapshotHead | undefined> {
    try {
      const start = await this.#opened(async (file) => {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
        return buffer.toString('utf8', 0, bytesRead)
      })
      return parseHead(start?.split('\n', 1)[0] ?? '')
    } catch {
      return undefined
    }
  }

  /**
   * Replaces the snapshot file, written one piece at a time. Resolves with undefined, and writes nothing, if the stored
   * snapshot is newer. The stored snapshot is newer if another process has seen more events of the same epoch, or has
   * seen another epoch more recently. Rejects with the errors of the file system, and with SnapshotRefused before the
   * first piece if the snapshot would be too large; the previous snapshot then remains.
   *
   * @param now in milliseconds since 1970
   */
  async write(state: SnapshotState, now: number): Promise<WriteResult | undefined> {
    const folder = dirname(this.path)
    if (this.#shared === undefined) await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER })
    else this.#shared.create()
    if (!this.#isSwept) await removeLeftovers(this.path)
    if (!this.#isSwept && this.#shared !== undefined) await removeOld(folder, this.path, now - ABANDONED_MS)
    this.#isSwept = true
    const isNewest = async () => !isBehind(state, await this.head(), now)
    if (!(await isNewest())) return undefined
    requireSize(countCharacters(state))
    let bytes = 0
    const writing = async (file: FileHandle): Promise<void> => {
      const hash = createHash('sha256')
      for (const piece of splitIntoPieces(state)) {
        const data = Buffer.from(piece)
        bytes += data.length
        requireSize(bytes)
        hash.update(data)
        await file.writeFile(data)
      }
      await file.writeFile(formatChecksumLine(hash.digest('hex')))
    }
    // another process may have written a newer snapshot in the meantime
    return (await replaceFile(this.path, writing, isNewest)) ? { bytes } : undefined
  }

  /** Opens the file and runs `work` on it. Resolves with undefined if the file does not exist. */
  async #opened<T>(work: (file: FileHandle, size: number) => Promise<T>): Promise<T | undefined> {
    if (this.#shared?.exists() === false) return undefined
    const file = await open(this.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
      refuseLink,
    )
    if (file === undefined) return undefined
    try {
      const { size, mode, uid } = await file.stat()
      if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw new SnapshotRefused('it is no file')
      const isForeign = process.getuid !== undefined && uid !== PROCESS_UID
      if (isForeign) throw new SnapshotRefused(`it belongs to another user of this machine (${uid})`)
      if ((mode & WRITABLE_BY_OTHERS) !== 0) throw new SnapshotRefused('other users of this machine can write to it')
      return await work(file, size)
    } finally {
      await file.close()
    }
  }
}

/**
 * Returns true if the stored snapshot is newer. If the epochs differ, the snapshot with the later time is newer,
 * because a server that is not connected cannot know that its database was restored. A time in the future is ignored,
 * because it was caused by a wrong clock.
 */
function isBehind({ mark, asOfMs }: SnapshotHead, kept: SnapshotHead | undefined, now: number): boolean {
  if (kept === undefined) return false
  if (kept.mark.epoch === mark.epoch) return kept.mark.id > mark.id
  return kept.asOfMs > asOfMs && kept.asOfMs <= now
}

/**
 * Removes outdated snapshot files of other servers. Only files of servers that no longer run can be outdated, because a
 * running server writes its file every hour.
 */
async function removeOld(folder: string, own: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (path === own || !name.endsWith('.kept')) continue
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < beforeMs) await rm(path, { force: true })
  }
}

/** Throws SnapshotRefused if a file of this size would be too large. */
function requireSize(bytes: number): void {
  if (bytes <= MAX_BYTES) return
  const found = Math.ceil(bytes / MIB)
  throw new SnapshotRefused(`it would be at least ${found} MiB; the maximum is ${MAX_BYTES / MIB} MiB`)
}

/** Returns the total number of characters of all flags. A snapshot file has at least this many bytes. */
function countCharacters({ documents }: SnapshotState): number {
  let characters = 0
  for (const { flags } of documents.values()) for (const { json } of flags) characters += json.length
  return characters
}

function refuseFormat(): never {
  throw new SnapshotRefused('another version, or another program, has written it')
}

function refuseLink(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  if (error.code === 'ELOOP') throw new SnapshotRefused('it is a link, which is not followed')
  throw error
}

function formatChecksumLine(checksum: string): string {
  return `{"checksum":"${checksum}"}\n`
}

function* splitIntoPieces(state: SnapshotState): Generator<string> {
  let piece = ''
  for (const line of toLines(state)) {
    piece += `${line}\n`
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  yield piece
}
