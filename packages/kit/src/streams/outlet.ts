import { Reply } from '../http/route.ts'
import type { EventMessage } from './event-message.ts'

/** Outlet for the body of a streaming reply whose head was sent. */
export interface Outlet {
  /** Number of written bytes that the operating system has not accepted yet. */
  readonly unsentBytes: number
  /** Writes a message; does nothing after the body has ended. */
  write(message: EventMessage): void
  /** Ends the reply properly, and then its connection. */
  end(): void
  /** Aborts the connection. */
  cut(): void
  /** Calls `call` once the operating system has accepted all written bytes, unless the connection closes first. */
  whenSent(call: () => void): void
  /** Calls `call` once either side has closed the connection. */
  whenClosed(call: () => void): void
}

const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  // no-transform: intermediaries must not compress the stream, because compression would delay events
  'cache-control': 'no-cache, no-transform',
  // disables buffering in nginx
  'x-accel-buffering': 'no',
}

/** Reply whose head is sent at once, followed by the messages of a stream: events by default. Never compressed. */
export class StreamReply extends Reply {
  /** Called once the head is sent. Not called for HEAD requests, or if the client is gone. */
  readonly opened: (outlet: Outlet) => void

  constructor(opened: (outlet: Outlet) => void, headers: Reply['headers'] = EVENT_STREAM_HEADERS) {
    super(200, undefined, headers)
    this.opened = opened
  }
}
