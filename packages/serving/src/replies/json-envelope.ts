import { hash } from 'node:crypto'

/** JSON before and after the pieces of a list. */
export interface JsonEnvelope {
  /** Ends with the bracket that opens the list. */
  readonly prefix: Buffer
  /** Begins with the bracket that closes the list. */
  readonly suffix: Buffer
  /** First of two 32-bit words that identify the envelope; `hashB` is the second. */
  readonly hashA: number
  readonly hashB: number
}

/**
 * Envelope of lists of toggles. The two identifying words of this envelope are 0, so that they do not affect the ETags
 * of lists of toggles.
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
 * Returns the size in bytes of a list in its envelope. `bytes` is the total size of the pieces, each with a comma
 * before it.
 */
export function getEnvelopedLength({ prefix, suffix }: JsonEnvelope, bytes: number): number {
  return prefix.length + suffix.length + (bytes === 0 ? 0 : bytes - 1)
}
