import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createGunzip, createInflate } from 'node:zlib'
import type { BodyLease } from './body-budget.ts'
import { parseJson, parseLargeJson } from './json-body.ts'
import { Refusal } from './refusal.ts'
import type { BodyForm } from './route.ts'

/**
 * Returns true if a Content-Type header stands for JSON: `application/json` or `application/*+json` (RFC 6839), in
 * upper or lower case, with or without parameters.
 */
export function isJson(contentType: string): boolean {
  if (contentType === 'application/json') return true
  const type = parseMediaType(contentType)
  return type === 'application/json' || JSON_SUFFIX.test(type)
}

const JSON_SUFFIX = /^application\/[\w!#$&^.-]+\+json$/

/** Returns the media type of a header in lower case, without parameters. */
export function parseMediaType(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Returns true if the headers of a request announce a body, even an empty one. */
export function announcesBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Maximum size in bytes of a body from an unauthenticated caller. */
export const MAX_ANONYMOUS_BODY_BYTES = 100 * 1024

/** Limits for reading a body. */
export interface BodyBounds {
  readonly limitBytes: number
  /** True to decode bodies that have a content encoding; false to reject them. */
  readonly decodes: boolean
  /** Lease for the memory of the body. */
  readonly lease: BodyLease
  /** Called before reading starts. The client may be waiting for `100 Continue`. */
  readonly expected?: (() => void) | undefined
}

/**
 * Returns true if a body can be read without waiting and at low cost: there is no body, or the body has arrived
 * completely and is short and unencoded.
 */
export function isAvailable(body: Buffer | IncomingMessage | undefined): boolean {
  if (body === undefined || Buffer.isBuffer(body)) return true
  // `complete` is undefined for an in-process request, whose body is always complete
  return body.complete !== false && isShortAndPlain(body)
}

/**
 * Returns true if the body of a request is short and has no content encoding. Unauthenticated callers may send only
 * bodies that are short and unencoded.
 */
export function isShortAndPlain({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const coding = getContentCoding(headers)
  const length = Number(headers['content-length'] ?? 0)
  return (coding === '' || coding === 'identity') && length <= MAX_ANONYMOUS_BODY_BYTES
}

function getContentCoding(headers: IncomingHttpHeaders): string {
  return (headers['content-encoding'] ?? '').trim().toLowerCase()
}

/**
 * Parses a JSON body; synchronously if the body was already read. Returns undefined for an empty body. Throws or
 * rejects with a Refusal: 'encoding' for a charset other than UTF-8 or a content encoding other than gzip and deflate;
 * 'too-large' if the body exceeds the limit before or after decoding; 'overloaded' if the memory budget is exhausted;
 * 'timeout' if the body arrives too slowly; 'syntax' for invalid JSON, nesting deeper than 500 levels or corrupt
 * compression; 'bad-request' if the body ends early. Source: other servers of the protocol, which decode and limit
 * bodies in the same way.
 *
 * @param body the whole body (unencoded and within the limit), or the request from which it is read
 */
export function readJson(body: Buffer | IncomingMessage, headers: IncomingHttpHeaders, bounds: BodyBounds): unknown {
  requireUtf8(headers['content-type'])
  if (!Buffer.isBuffer(body)) return readBytes(body, bounds).then(parseLargeJson)
  bounds.lease.take(body.length)
  return parseJson(body)
}

/** A body that has a format other than JSON and has not been parsed yet. */
export class RawBody {
  readonly #bytes: Buffer
  readonly #form: BodyForm
  readonly #contentType: string

  constructor(bytes: Buffer, form: BodyForm, contentType: string) {
    this.#bytes = bytes
    this.#form = form
    this.#contentType = contentType
  }

  /** Parses the body. Throws or rejects with a Refusal. */
  read(): unknown {
    return this.#form.read(this.#bytes, this.#contentType)
  }
}

/**
 * Reads a body that has a format other than JSON, without parsing it. Throws or rejects with a Refusal in the same
 * cases as `readJson`.
 */
export function readRaw(
  body: Buffer | IncomingMessage,
  headers: IncomingHttpHeaders,
  { form, ...bounds }: BodyBounds & { readonly form: BodyForm },
): RawBody | Promise<RawBody> {
  const type = headers['content-type'] ?? ''
  requireUtf8(type)
  if (!Buffer.isBuffer(body)) return readBytes(body, bounds).then((bytes) => new RawBody(bytes, form, type))
  bounds.lease.take(body.length)
  return new RawBody(body, form, type)
}

const UTF_8 = new Set(['utf-8', 'utf8', 'us-ascii'])

function requireUtf8(contentType = ''): void {
  if (!contentType.includes(';')) return
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1]
  if (charset === undefined || UTF_8.has(charset.toLowerCase())) return
  throw new Refusal('encoding', `unsupported charset "${charset}"`)
}

/** Functions that create decoders for request bodies, by content encoding. */
const DECODERS: Readonly<Record<string, (() => Transform) | undefined>> = {
  '': undefined,
  identity: undefined,
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
}

/**
 * Collects the bytes of a body after decoding. After a rejection, reads and discards the rest of the body, so that the
 * reply can still reach the client.
 */
function readBytes(request: IncomingMessage, bounds: BodyBounds): Promise<Buffer> {
  const { limitBytes, lease } = bounds
  const coding = getContentCoding(request.headers)
  if (!Object.hasOwn(DECODERS, coding)) throw new Refusal('encoding', `unsupported content encoding "${coding}"`)
  const decode = DECODERS[coding]
  if (decode !== undefined && !bounds.decodes) {
    throw new Refusal('encoding', `content encoding "${coding}" is not accepted here: send the body unencoded`)
  }
  if (request.destroyed) throw new Refusal('bad-request', 'The body is incomplete')
  const announced = Number(request.headers['content-length'] ?? 0)
  try {
    if (announced > limitBytes) throw createTooLarge(limitBytes)
    lease.take(announced)
    if (decode !== undefined) lease.takeDecoder()
  } catch (refusal) {
    discardBody(request)
    throw refusal
  }
  bounds.expected?.()
  // the memory for an unencoded body with a declared length is already reserved
  return collectBody(request, { decoder: decode?.(), coding, limitBytes, lease, paidBytes: decode ? 0 : announced })
}

interface CollectOptions extends Pick<BodyBounds, 'limitBytes' | 'lease'> {
  readonly decoder: Transform | undefined
  readonly coding: string
  /** Number of bytes for which memory is already reserved. */
  readonly paidBytes: number
}

function collectBody(request: IncomingMessage, collecting: CollectOptions): Promise<Buffer> {
  const { decoder, coding, limitBytes, lease, paidBytes } = collecting
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    let isOver = false
    const stop = (refusal: unknown) => {
      if (isOver) return
      isOver = true
      lease.unwatch()
      request.unpipe()
      decoder?.destroy()
      chunks.length = 0
      reject(refusal)
      discardBody(request)
    }
    const add = (chunk: Buffer) => {
      if (isOver) return
      length += chunk.length
      try {
        if (length > limitBytes) throw createTooLarge(limitBytes)
        if (length > paidBytes) lease.take(Math.min(chunk.length, length - paidBytes))
        chunks.push(chunk)
      } catch (refusal) {
        stop(refusal)
      }
    }
    const end = () => {
      if (isOver) return
      isOver = true
      lease.unwatch()
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length))
    }
    lease.watch(stop)
    const arrived = (chunk: Buffer) => {
      lease.arrivedBytes += chunk.length
    }
    request.on('data', arrived)
    const source = decoder === undefined ? request : request.pipe(decoder)
    source.on('data', add)
    source.on('end', end)
    decoder?.on('error', (cause) => stop(new Refusal('syntax', `corrupt ${coding} body`, { cause })))
    request.on('error', (cause) => stop(new Refusal('bad-request', 'The body is incomplete', { cause })))
    request.on('close', () => request.readableEnded || stop(new Refusal('bad-request', 'The body is incomplete')))
  })
}

const MAX_DISCARDED_BYTES = 10_000_000

/**
 * Returns true if the rest of a rejected body is short enough to be read and discarded. If the connection were closed
 * at once instead, the client might not receive the reply. If the rest is longer, the connection is closed without
 * reading it.
 */
export function isDiscarded(request: IncomingMessage): boolean {
  return Number(request.headers['content-length'] ?? 0) <= MAX_DISCARDED_BYTES
}

function discardBody(request: IncomingMessage): void {
  let left = MAX_DISCARDED_BYTES
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.destroy()
  })
  request.resume()
}

function createTooLarge(limitBytes: number): Refusal {
  return new Refusal('too-large', `The body is larger than ${limitBytes} bytes`)
}
