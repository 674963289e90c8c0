import { until } from '../../support/wait.ts'

/** One message as it came. */
export interface Heard {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: unknown
}

/** A stream of server-sent events that is read. */
export interface OpenStream {
  /** All messages until now. */
  readonly heard: readonly Heard[]
  /** Whether the server has ended it. */
  readonly hasEnded: () => boolean
  /** The first message from a place on for which it holds; waits for it. */
  next(isWanted: (heard: Heard) => boolean, from?: number): Promise<Heard>
  close(): void
}

/** Opens a stream. Throws where the reply is no stream; `reply.status` says what it is then. */
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
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const message = messageOf(text.slice(0, end))
      if (message !== undefined) heard.push(message)
      text = text.slice(end + 2)
    }
  }
}

/** Undefined for a comment. */
function messageOf(block: string): Heard | undefined {
  const field = (name: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}: `))
      .map((line) => line.slice(name.length + 2))
  const data = field('data')
  if (data.length === 0) return undefined
  return { id: field('id')[0], event: field('event')[0], data: JSON.parse(data.join('\n')) }
}
