import { EventReader } from '@burgee/kit/streams/event-reader'
import { until } from '../../support/wait.ts'

const MOST_CHARACTERS = 1_000_000

/** Received message. */
export interface Heard {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/** Open stream of server-sent events. */
export interface OpenStream {
  /** All messages received so far. */
  readonly heard: readonly Heard[]
  /** Returns true if the server has ended the stream. */
  readonly hasEnded: () => boolean
  /** Waits for the first matching message, starting at an index. */
  next(isWanted: (heard: Heard) => boolean, from?: number): Promise<Heard>
  close(): void
}

/** Opens a stream. Throws if the reply is not a stream; in that case, `reply.status` is its status. */
export async function openStream(url: string, headers: Readonly<Record<string, string>>): Promise<OpenStream> {
  const leaving = new AbortController()
  const reply = await fetch(url, { headers, signal: leaving.signal })
  if (reply.status !== 200 || reply.body === null) throw Object.assign(new Error(`It is ${reply.status}`), { reply })
  const heard: Heard[] = []
  let hasEnded = false
  void read(reply.body, heard)
    .catch(() => {})
    .finally(() => {
      hasEnded = true
    })
  return {
    heard,
    hasEnded: () => hasEnded,
    next: (isWanted, from = 0) => until(() => heard.slice(from).find(isWanted)),
    close: () => leaving.abort(),
  }
}

async function read(body: ReadableStream<Uint8Array>, heard: Heard[]): Promise<void> {
  const reader = new EventReader(MOST_CHARACTERS)
  for await (const piece of body) {
    for (const { id, event, data } of reader.read(piece)) heard.push({ id, event, data: JSON.parse(data) })
  }
}
