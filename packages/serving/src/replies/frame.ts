import { hash } from 'node:crypto'

/** What stands before and behind the pieces of a list. */
export interface Frame {
  /** Ends with the bracket that opens the list. */
  readonly head: Buffer
  /** Begins with the bracket that closes it. */
  readonly tail: Buffer
  /** Two words that tell it from every other frame. */
  readonly a: number
  readonly b: number
}

/** The frame of lists of toggles, which all tags were made with before there were others. */
export const TOGGLES: Frame = { head: Buffer.from('{"toggles":['), tail: Buffer.from(']}'), a: 0, b: 0 }

/** Another frame. */
export function frameOf(head: string, tail: string): Frame {
  const digest = hash('sha1', `${head} ${tail}`, 'buffer')
  return { head: Buffer.from(head), tail: Buffer.from(tail), a: digest.readInt32LE(0), b: digest.readInt32LE(4) }
}

/** Bytes of a list whose pieces, each with a comma before it, have `bytes` together. */
export function framedLength({ head, tail }: Frame, bytes: number): number {
  return head.length + tail.length + (bytes === 0 ? 0 : bytes - 1)
}
