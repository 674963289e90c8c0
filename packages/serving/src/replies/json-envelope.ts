import { hash } from 'node:crypto'

/** JSON before and after the pieces of a list. */
export interface JsonEnvelope {
  /** Ends with the bracket that opens the list. */
  readonly prefix: Buffer
  /** Begins with the bracket that closes the list. */
  readonly suffix: Buffer
  /** Two words that identify the frame. */
  readonly hashA: number
  readonly hashB: number
}

/** Frame of lists of toggles. Its two words are 0, so that ETags did not change when other frames were introduced. */
export const TOGGLES_ENVELOPE: JsonEnvelope = {
  prefix: Buffer.from('{"toggles":['),
  suffix: Buffer.from(']}'),
  hashA: 0,
  hashB: 0,
}

/** Creates a frame. */
export function createEnvelope(head: string, tail: string): JsonEnvelope {
  const digest = hash('sha1', `${head} ${tail}`, 'buffer')
  return {
    prefix: Buffer.from(head),
    suffix: Buffer.from(tail),
    hashA: digest.readInt32LE(0),
    hashB: digest.readInt32LE(4),
  }
}

/** Returns the size of a list, in bytes, whose pieces have `bytes` in total, with a comma before each. */
export function getEnvelopedLength({ prefix, suffix }: JsonEnvelope, bytes: number): number {
  return prefix.length + suffix.length + (bytes === 0 ? 0 : bytes - 1)
}
