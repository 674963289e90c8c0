import { Reply } from '../http/route.ts'
import type { EventMessage } from './event-message.ts'

/** Body of a streaming reply, whose head is already sent. */
export interface Outlet {
  /** Written bytes that the operating system has not taken yet. */
  readonly unsentBytes: number
  /** Writes a message; does nothing after the end. */
  write(message: EventMessage): void
  /** Ends the reply properly, then its connection. */
  end(): void
  /** Aborts the connection. */
  cut(): void
  /** Calls `call` once the operating system has taken everything written, unless the connection closes first. */
  whenSent(call: () => void): void
  /** Calls `call` once the connection has closed, whoever closed it. */
  whenClosed(call: () => void): void
}

const HEADERS = {
  'content-type': 'text/event-stream',
  // no-transform: intermediaries must not compress it, because compression would delay events
  'cache-control': 'no-cache, no-transform',
  // disables buffering in nginx
  'x-accel-buffering': 'no',
}

/** A reply whose head is sent at once, followed by events; never compressed. */
export class StreamReply extends Reply {
  /** Called once the head is sent; not for HEAD, nor if the client is gone. */
  readonly opened: (outlet: Outlet) => void

  constructor(opened: (outlet: Outlet) => void) {
    super(200, undefined, HEADERS)
    this.opened = opened
  }
}
