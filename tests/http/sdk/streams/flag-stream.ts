import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { type DeltaEvent, DeltaEvents } from '@burgee/protocol/delta'
import type { Feature } from '@burgee/protocol/feature'
import { TOKEN_CHANGES_EVENT } from '@burgee/protocol/token-changes'
import { Compile } from 'typebox/compile'
import { until } from '../../../support/wait.ts'

/** Event received over a stream. */
export interface StreamEvent {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string
}

/** State of a client that applies events in order. */
export interface Holding {
  readonly features: ReadonlyMap<
    string,
    { readonly name: string; readonly enabled: boolean; readonly project?: string }
  >
  readonly segments: ReadonlyMap<number, object>
}

/** Connection to a stream of flags, parsed without an SDK. */
export interface FlagStream {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly message: IncomingMessage
  readonly events: readonly StreamEvent[]
  /** Returns the number of comments so far. */
  readonly comments: () => number
  /** Returns the state after the events so far, each validated against the requirements of strict SDKs. */
  readonly holding: () => Holding
  readonly hasEnded: () => boolean
  /** Resolves once the connection is closed. */
  readonly ended: Promise<void>
  close(): void
}

const checked = Compile(DeltaEvents)
const TYPES = new Set(['hydration', 'feature-updated', 'feature-removed', 'segment-updated', 'segment-removed'])

/** Applies the data of one event. Throws if a strict SDK would reject it. */
export function applyDelta(data: string, features: Map<string, never>, segments: Map<number, never>): void {
  const message: unknown = JSON.parse(data)
  if (!checked.Check(message)) throw new Error(`A strict SDK refuses ${data.slice(0, 500)}`)
  for (const event of message.events as DeltaEvent[]) {
    if (!TYPES.has(event.type)) throw new Error(`A strict SDK does not know ${event.type}`)
    if (event.type === 'hydration') {
      features.clear()
      segments.clear()
      for (const one of event.features) features.set(one.name, one as never)
      for (const one of event.segments) segments.set(one.id, one as never)
    } else if (event.type === 'feature-updated') {
      requireSegments(event.feature, segments)
      features.set(event.feature.name, event.feature as never)
    } else if (event.type === 'feature-removed') features.delete(event.featureName)
    else if (event.type === 'segment-updated') segments.set(event.segment.id, event.segment as never)
    else segments.delete(event.segmentId)
  }
}

function requireSegments({ name, strategies }: Feature, known: ReadonlyMap<number, unknown>): void {
  const missing = strategies.flatMap((one) => one.segments ?? []).filter((id) => !known.has(id))
  if (missing.length > 0) throw new Error(`The flag ${name} came before its segments ${missing}`)
}

/** Connects and resolves once the response head arrives. */
export async function openFlagStream(
  base: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
  path = '/api/client/streaming',
): Promise<FlagStream> {
  const [request, message] = await new Promise<[ClientRequest, IncomingMessage]>((resolve, reject) => {
    const sent = get(`${base}${path}`, { agent: false, headers: { authorization: token, ...headers } }, (reply) =>
      resolve([sent, reply]),
    )
    sent.on('error', reject)
  })
  request.on('error', () => {})
  const [features, segments] = [new Map<string, never>(), new Map<number, never>()]
  const events: StreamEvent[] = []
  let [text, comments, hasEnded, failure] = ['', 0, false, undefined as unknown]
  const read = (block: string): void => {
    const fields: Record<string, string> = {}
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^([^:]*): ?([\s\S]*)$/.exec(line) ?? []
      if (name === '') comments += 1
      else fields[name] = fields[name] === undefined ? value : `${fields[name]}\n${value}`
    }
    if (fields.data === undefined) return
    events.push({ id: fields.id, event: fields.event, data: fields.data })
    if (fields.event === TOKEN_CHANGES_EVENT) return
    try {
      applyDelta(fields.data, features, segments)
    } catch (error) {
      failure ??= error
    }
  }
  message.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      read(text.slice(0, end))
      text = text.slice(end + 2)
    }
  })
  message.on('error', () => {})
  const ended = new Promise<void>((resolve) => message.once('close', () => resolve()))
  void ended.then(() => {
    hasEnded = true
  })
  const holding = (): Holding => {
    if (failure !== undefined) throw failure
    return { features, segments }
  }
  const { statusCode: status = 0 } = message
  return {
    status,
    headers: message.headers,
    message,
    events,
    holding,
    ended,
    comments: () => comments,
    hasEnded: () => hasEnded,
    close: () => void request.destroy(),
  }
}

/** Downloads the state of a polling SDK. */
export async function downloaded(base: string, token: string): Promise<Holding> {
  const headers = { authorization: token, 'unleash-client-spec': '5.2.0' }
  const reply = await fetch(`${base}/api/client/features`, { headers })
  const { features, segments } = (await reply.json()) as { features: never[]; segments: never[] }
  return {
    features: new Map(features.map((one: { name: string }) => [one.name, one as never])),
    segments: new Map(segments.map((one: { id: number }) => [one.id, one])),
  }
}

/** Waits until the stream's state equals a download, and returns that. */
export async function followed(stream: FlagStream, base: string, token: string): Promise<Holding> {
  return until(async () => {
    const now = await downloaded(base, token)
    return sameHolding(stream.holding(), now) ? now : undefined
  })
}

/** Returns true if both contain the same flags and segments. */
export function sameHolding(one: Holding, other: Holding): boolean {
  return textOf(one) === textOf(other)
}

function textOf({ features, segments }: Holding): string {
  const sorted = (map: ReadonlyMap<string | number, unknown>) =>
    [...map].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  return JSON.stringify([sorted(features), sorted(segments)])
}
