import { join } from 'node:path'
import { Problem } from '@burgee/protocol/problem'
import { openText, parseSealed, sealText } from './sealed-text.ts'
import { createKeyFile, KEY_FILE, parseSecretKey, readKeyFile, type SecretKey } from './secret-key.ts'

/** Reason why a stored secret cannot be read. `key-missing` is resolved once the key of the secret is configured. */
export type SecretUnreadableReason = 'malformed' | 'key-missing' | 'altered'

/** Thrown if a stored secret cannot be read. The message names the reason and the variable to set, never the secret. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable'
  readonly reason: SecretUnreadableReason

  constructor(reason: SecretUnreadableReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** Encryption of stored texts that the server must be able to decrypt. */
export interface Secrets {
  /**
   * Encrypts a text for storage. The result can be opened only for the same purpose. Throws ConflictError if there is
   * no key, and errors of the file system if a key file cannot be created.
   */
  seal(text: string, purpose: string): string
  /**
   * Decrypts a text. Throws SecretUnreadable; if the key is missing, decryption works again once the key is available.
   */
  open(sealed: string, purpose: string): string
  /** Returns the id of the key that encrypts new secrets; undefined if there is no key yet. */
  keyId(): string | undefined
}

/** Sources of keys. */
export interface KeySource {
  /** Key from BURGEE_SECRET_KEY. */
  readonly key: string | undefined
  /** Previous keys, which are only used for decryption. */
  readonly previous?: readonly string[] | undefined
  /** Data directory of an embedded database; undefined for PostgreSQL. */
  readonly dataDir: string | undefined
  /** Returns unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
}

const VARIABLE = 'BURGEE_SECRET_KEY'
const PREVIOUS = 'BURGEE_SECRET_KEY_PREVIOUS'
/** Message that explains why a secret cannot be stored without a key. */
export const NO_KEY = `Secrets can be stored only with an encryption key: set ${VARIABLE} to 32 bytes in base64 or hex, the same on every node (openssl rand -base64 32)`

/**
 * Creates the encryption. Encrypts with the key in the environment variable. Without the variable, encrypts with the
 * key file in the data directory, which is created on first use. Decrypts secrets that were encrypted with the
 * variable's key, with the key file, or with a previous key.
 */
export function createSecrets({ key, previous = [], dataDir, random }: KeySource): Secrets {
  const given = key === undefined ? undefined : parseSecretKey(key)
  const before = previous.map(parseSecretKey)
  const path = dataDir === undefined ? undefined : join(dataDir, KEY_FILE)
  let kept: SecretKey | undefined
  const ofFile = () => {
    if (path !== undefined) kept ??= readKeyFile(path)
    return kept
  }
  const toSeal = () => {
    const found = given ?? ofFile()
    if (found !== undefined) return found
    if (path === undefined) throw new Problem('ConflictError', `${NO_KEY}.`)
    kept = createKeyFile(path, random)
    return kept
  }
  return {
    seal: (text, purpose) => sealText(toSeal(), { text, purpose }, random),
    keyId: () => (given ?? ofFile())?.id,
    open(sealed, purpose) {
      const parsed = parseSealed(sealed)
      if (parsed === undefined) throw new SecretUnreadable('malformed', 'A stored secret has an unknown format')
      const [used] = [given, ...before, ofFile()].filter((one) => one?.id === parsed.keyId)
      if (used === undefined) throw new SecretUnreadable('key-missing', describeOtherKey(parsed.keyId, given ?? kept))
      try {
        return openText(used, parsed, purpose)
      } catch (error) {
        throw new SecretUnreadable('altered', 'A stored secret was modified, or belongs to another row', {
          cause: error,
        })
      }
    },
  }
}

function describeOtherKey(id: string, own: SecretKey | undefined): string {
  const here = own === undefined ? 'no key is set' : `the key here is ${own.id}`
  return `A secret was encrypted with the key ${id}, and ${here}: set ${VARIABLE} or ${PREVIOUS} to that key, or enter the secret again`
}
