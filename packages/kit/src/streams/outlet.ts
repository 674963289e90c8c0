import { Reply } from '../http/route.ts'
import type { EventMessage } from './event-message.ts'

/** Where the body of a reply goes that does not end by itself. Its head is sent already. */
export interface Outlet {
  /** What was written and the operating system has not taken yet. */
  readonly unsentBytes: number
  /** Writes a message; nothing happens once it is over. */
  write(message: EventMessage): void
  /** Ends the reply as replies end, and its connection. */
  end(): void
  /** Breaks the connection off. */
  cut(): void
  /** Calls once, when the operating system has all that was written, unless the connection is closed before. */
  whenSent(call: () => void): void
  /** Calls once, when the connection is closed, by whomever. */
  whenClosed(call: () => void): void
}

const HEADERS = {
  'content-type': 'text/event-stream',
  // no-transform: what stands between must not compress it, for a compressed stream reads as nothing
  'cache-control': 'no-cache, no-transform',
  // nginx would gather what it forwards
  'x-accel-buffering': 'no',
}

/** A reply whose head is sent at once and whose body follows, event by event; never compressed. */
export class StreamReply extends Reply {
  /** Called when the head is on its way; never for HEAD, nor where nobody waits any more. */
  readonly opened: (outlet: Outlet) => void

  constructor(opened: (outlet: Outlet) => void) {
    super(200, undefined, HEADERS)
    this.opened = opened
  }
}
