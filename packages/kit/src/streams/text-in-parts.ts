import type { Reply } from '../http/route.ts'
import { EventMessage } from './event-message.ts'
import { type Outlet, StreamReply } from './outlet.ts'

/** Long text that is read in parts. */
export interface TextInParts {
  readonly first: string
  /**
   * Reads the next part; resolves with undefined after the last part. Called only after the operating system has
   * accepted the previous part.
   */
  readonly next: () => Promise<string | undefined>
  /**
   * Called if a part cannot be read. The connection is then aborted, so that the client notices that the end is
   * missing.
   */
  readonly onError: (error: unknown) => void
}

/**
 * Returns a reply that sends a long text in parts. Only one part is in memory at a time, because the next part is read
 * only after the operating system has accepted the previous one. If the client disconnects, no further parts are read.
 */
export function replyInParts(text: TextInParts, headers: Reply['headers']): StreamReply {
  return new StreamReply((outlet) => sendParts(outlet, text), headers)
}

function sendParts(outlet: Outlet, { first, next, onError }: TextInParts): void {
  let isClosed = false
  outlet.whenClosed(() => {
    isClosed = true
  })
  const send = (part: string | undefined): void => {
    if (isClosed) return
    if (part === undefined) {
      outlet.end()
      return
    }
    if (part !== '') outlet.write(new EventMessage(part))
    outlet.whenSent(() => {
      if (!isClosed) next().then(send).catch(fail)
    })
  }
  const fail = (error: unknown): void => {
    if (isClosed) return
    outlet.cut()
    onError(error)
  }
  send(first)
}
