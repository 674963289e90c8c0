import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { SecretKey } from './secret-key.ts'

const CIPHER = 'aes-256-gcm'
/** Length of the random nonces. Source: NIST SP 800-38D */
const NONCE_BYTES = 12
const TAG_BYTES = 16
const FORM = 'v1'

/** Parsed sealed text. */
export interface SealedText {
  /** Id of the key. */
  readonly keyId: string
  readonly content: Buffer
}

/**
 * Encrypts a text as `v1.<key id>.<nonce, tag and content in base64url>`. `purpose` is not secret and not part of the
 * result. Text that was sealed for one purpose cannot be opened for another.
 */
export function sealText(
  { id, bytes }: SecretKey,
  { text, purpose }: { readonly text: string; readonly purpose: string },
  random: (length: number) => Uint8Array,
): string {
  const nonce = random(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, bytes, nonce).setAAD(Buffer.from(purpose))
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return [FORM, id, Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url')].join('.')
}

/** Parses sealed text without opening it; returns undefined for all other text. */
export function parseSealed(sealed: string): SealedText | undefined {
  const [form, keyId, content, ...rest] = sealed.split('.')
  if (form !== FORM || keyId === undefined || content === undefined || rest.length > 0) return undefined
  return { keyId, content: Buffer.from(content, 'base64url') }
}

/** Decrypts a text. Throws if the text was modified, or was sealed with another key or for another purpose. */
export function openText({ bytes }: SecretKey, { content }: SealedText, purpose: string): string {
  const nonce = content.subarray(0, NONCE_BYTES)
  const tag = content.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag)
  return Buffer.concat([decipher.update(content.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}
