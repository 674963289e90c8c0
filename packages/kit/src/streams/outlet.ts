import { Reply } from '../http/route.ts'
import type { EventMessage } from './event-message.ts'

/** Outlet for the body of a streaming reply, whose head was already sent. */
export interface Outlet {
  /** Number of bytes that were written but that the operating system has not yet accepted. */
  readonly unsentBytes: number
  /** Writes a message; does nothing if the body has already ended. */
  write(message: EventMessage): void
  /** Completes the reply, and then closes its connection. */
  end(): void
  /** Aborts the connection. */
  cut(): void
  /**
   * Calls `call` once the operating system has accepted all written bytes; never calls it if the connection closes
   * first.
   */
  whenSent(call: () => void): void
  /** Calls `call` once the connection was closed by either side. */
  whenClosed(call: () => void): void
}

const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  // no-transform prevents intermediaries from compressing the stream, which would delay events
  'cache-control': 'no-cache, no-transform',
  // disables buffering in nginx
  'x-accel-buffering': 'no',
}

/**
 * Reply whose head is sent at once, and whose body consists of the messages of a stream; by default an event stream.
 * Never compressed.
 */
export class StreamReply extends Reply {
  /** Called when the head was sent. Not called for HEAD requests, or if the client has disconnected. */
  readonly opened: (outlet: Outlet) => void

  constructor(opened: (outlet: Outlet) => void, headers: Reply['headers'] = EVENT_STREAM_HEADERS) {
    super(200, undefined, headers)
    this.opened = opened
  }
}
