import { hash } from 'node:crypto'

/** JSON before and after the pieces of a list. */
export interface Frame {
  /** Ends with the bracket that opens the list. */
  readonly head: Buffer
  /** Begins with the bracket that closes the list. */
  readonly tail: Buffer
  /** Two words that identify the frame. */
  readonly a: number
  readonly b: number
}

/** Frame of lists of toggles. Its two words are 0, so that ETags did not change when other frames were introduced. */
export const TOGGLES: Frame = { head: Buffer.from('{"toggles":['), tail: Buffer.from(']}'), a: 0, b: 0 }

/** Creates a frame. */
export function frameOf(head: string, tail: string): Frame {
  const digest = hash('sha1', `${head} ${tail}`, 'buffer')
  return { head: Buffer.from(head), tail: Buffer.from(tail), a: digest.readInt32LE(0), b: digest.readInt32LE(4) }
}

/** Returns the size of a list, in bytes, whose pieces have `bytes` in total, with a comma before each. */
export function framedLength({ head, tail }: Frame, bytes: number): number {
  return head.length + tail.length + (bytes === 0 ? 0 : bytes - 1)
}
