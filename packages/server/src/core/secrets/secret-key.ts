import { hash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncToDisk } from '@burgee/storage/drivers/sqlite/sqlite-backup'

/** AES-256 key with an id that reveals nothing about the key. */
export interface SecretKey {
  /** Id of 12 hex digits. */
  readonly id: string
  readonly bytes: Buffer
}

/** Name of the key file in the data directory of an embedded database. */
export const KEY_FILE = 'secret-key'

const KEY_BYTES = 32
const ID_LENGTH = 12
const OWNER_ONLY = 0o600
const HEX = /^[0-9a-f]{64}$/i
/** Base64 of 32 bytes: 43 characters, with or without padding. Also matches base64url. */
const BASE64 = /^[\w+/-]{43}=?$/

/**
 * Decodes a key in base64 or hex. Throws a plain Error for text in any other form, or if the key is not 32 bytes long.
 * The error does not contain the text.
 */
export function parseKeyBytes(text: string): Buffer {
  const bytes = HEX.test(text)
    ? Buffer.from(text, 'hex')
    : BASE64.test(text)
      ? Buffer.from(text, 'base64')
      : Buffer.alloc(0)
  if (bytes.length !== KEY_BYTES) throw new Error('It does not contain 32 bytes in base64 or hex')
  return bytes
}

/** Creates a key from its text form. Throws the same errors as `parseKeyBytes`. */
export function parseSecretKey(text: string): SecretKey {
  const bytes = parseKeyBytes(text)
  return { bytes, id: hash('sha256', Buffer.concat([Buffer.from('id of a secret key:'), bytes])).slice(0, ID_LENGTH) }
}

/** Reads a key file; returns undefined if there is none. Throws an error that names the file. */
export function readKeyFile(path: string): SecretKey | undefined {
  if (!existsSync(path)) return undefined
  const text = readFileSync(path, 'utf8').trim()
  try {
    return parseSecretKey(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The encryption key of stored secrets in ${path} cannot be used. ${reason}`, { cause: error })
  }
}

/**
 * Writes a new key to a file that only this user can read, and syncs the file to disk before anything is encrypted with
 * the key. Throws if the file exists, and on errors of the file system.
 */
export function createKeyFile(path: string, random: (length: number) => Uint8Array): SecretKey {
  const text = Buffer.from(random(KEY_BYTES)).toString('base64')
  const file = openSync(path, 'wx', OWNER_ONLY)
  try {
    writeSync(file, `${text}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  syncToDisk(dirname(path))
  return parseSecretKey(text)
}
