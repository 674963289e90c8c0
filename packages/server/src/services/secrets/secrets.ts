import { join } from 'node:path'
import { Problem } from '@burgee/protocol/problem'
import { openText, parseSealed, sealText } from './sealed-text.ts'
import { KEY_FILE, makeKeyFile, readKeyFile, type SecretKey, secretKeyOf } from './secret-key.ts'

/** A stored secret cannot be read; the message says why and which variable helps, and never what is stored. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable'
}

/** Keeps texts that must be read again, encrypted. */
export interface Secrets {
  /**
   * The text as it may be stored, to be opened for the same purpose only. Throws ConflictError where there is no key, and
   * what the file system throws where one cannot be made.
   */
  seal(text: string, purpose: string): string
  /** The text again. Throws SecretUnreadable; what is stored is good again as soon as its key is. */
  open(sealed: string, purpose: string): string
  /** Id of the key that seals; undefined where there is none yet. */
  keyId(): string | undefined
}

/** Where keys come from. */
export interface KeySource {
  /** The key of BURGEE_SECRET_KEY. */
  readonly key: string | undefined
  /** Keys of before, which only open. */
  readonly previous?: readonly string[] | undefined
  /** Data directory of an embedded database; undefined where there is none. */
  readonly dataDir: string | undefined
  /** Unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
}

const VARIABLE = 'BURGEE_SECRET_KEY'
const PREVIOUS = 'BURGEE_SECRET_KEY_PREVIOUS'
/** What is said where a secret is to be stored and there is no key. */
export const NO_KEY = `Secrets can only be stored under a key: set ${VARIABLE} to 32 bytes in base64 or hex, the same on every node (openssl rand -base64 32)`

/**
 * Seals under the key of the variable, or else that of the file in the data directory, which is made at the first need.
 * Opens what was sealed under any of them, or under one of before.
 */
export function createSecrets({ key, previous = [], dataDir, random }: KeySource): Secrets {
  const given = key === undefined ? undefined : secretKeyOf(key)
  const before = previous.map(secretKeyOf)
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
    kept = makeKeyFile(path, random)
    return kept
  }
  return {
    seal: (text, purpose) => sealText(toSeal(), { text, purpose }, random),
    keyId: () => (given ?? ofFile())?.id,
    open(sealed, purpose) {
      const parsed = parseSealed(sealed)
      if (parsed === undefined)
        throw new SecretUnreadable('A stored secret is not in the form in which they are stored')
      const [used] = [given, ...before, ofFile()].filter((one) => one?.id === parsed.keyId)
      if (used === undefined) throw new SecretUnreadable(otherKey(parsed.keyId, given ?? kept))
      try {
        return openText(used, parsed, purpose)
      } catch (error) {
        throw new SecretUnreadable('A stored secret was changed, or is in the place of another one', { cause: error })
      }
    },
  }
}

function otherKey(id: string, own: SecretKey | undefined): string {
  const here = own === undefined ? 'there is no key here' : `the key here is ${own.id}`
  return `A secret was stored under the key ${id}, and ${here}: set ${VARIABLE} or ${PREVIOUS} to that key, or the secret anew`
}
