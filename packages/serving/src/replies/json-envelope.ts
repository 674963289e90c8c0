import { hash } from 'node:crypto'

/** JSON that surrounds the pieces of a list. */
export interface JsonEnvelope {
  /** JSON before the pieces; ends with the bracket that opens the list. */
  readonly prefix: Buffer
  /** JSON after the pieces; begins with the bracket that closes the list. */
  readonly suffix: Buffer
  /** First of the two 32-bit words that identify the envelope; `hashB` is the second. */
  readonly hashA: number
  readonly hashB: number
}

/**
 * Envelope for lists of toggles. Both words that identify this envelope are 0, so that they do not affect the ETags of
 * lists.
 */
export const TOGGLES_ENVELOPE: JsonEnvelope = {
  prefix: Buffer.from('{"toggles":['),
  suffix: Buffer.from(']}'),
  hashA: 0,
  hashB: 0,
}

/** Creates an envelope. */
export function createEnvelope(head: string, tail: string): JsonEnvelope {
  const digest = hash('sha1', `${head} ${tail}`, 'buffer')
  return {
    prefix: Buffer.from(head),
    suffix: Buffer.from(tail),
    hashA: digest.readInt32LE(0),
    hashB: digest.readInt32LE(4),
  }
}

/**
 * Returns the size of a list including its envelope, in bytes. `bytes` is the total size of the pieces, including the
 * comma that precedes each of them.
 */
export function getEnvelopedLength({ prefix, suffix }: JsonEnvelope, bytes: number): number {
  return prefix.length + suffix.length + (bytes === 0 ? 0 : bytes - 1)
}
