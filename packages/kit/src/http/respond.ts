import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Coding, codingFor, compress, isCompressible } from './compression.ts'
import { type Content, isContent, type Loan } from './content.ts'
import { matchesEtag, weakEtag } from './etag.ts'
import type { Reply } from './route.ts'

/** How replies are sent. */
export interface SendOptions {
  /** Compress bodies for clients that accept it. */
  readonly compress: boolean
  /** The sender gives bodies back; no by default. */
  readonly borrows?: boolean
  /** Hears of every reply that was written. */
  readonly wrote?: Wrote
}

/** Hears what was written to a connection, which may not have sent it yet. */
export type Wrote = (socket: Socket, body: string | Buffer | undefined) => void

/** What of a request decides how its reply is sent. */
export interface Asking {
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

/** What goes out: decided once for all ways of sending. Only a reply with a body has a tag; only 304 has a tag alone. */
export interface Outgoing {
  readonly status: number
  readonly etag: string | undefined
  readonly coding: Coding | undefined
  readonly body: string | Buffer | undefined
  /** Where the body is lent: to be given back when it was sent. */
  readonly loan?: Loan | undefined
}

/**
 * Decides what is sent: a weak ETag, or 304 without body when the client has it already (GET and HEAD, status 200; also
 * with `Cache-Control: no-cache`, which is meant for caches, and which `fetch` adds to If-None-Match). Compresses bodies
 * of at least 1024 bytes as Accept-Encoding asks; the ETag stays that of the plain body.
 *
 * @param etag given by the reply's headers, wins over the body's own
 */
export function outgoing(
  asking: Asking,
  answer: Reply,
  { compress: mayCompress, borrows, etag: given }: SendOptions & { readonly etag: string | undefined },
): Outgoing | Promise<Outgoing> {
  const { status, body } = answer
  if (body === undefined) return { status, etag: undefined, coding: undefined, body }
  const etag = given ?? (isContent(body) ? body.etag : weakEtag(body))
  if (status === 200 && isFresh(asking, etag)) return { status: 304, etag, coding: undefined, body: undefined }
  const coding =
    mayCompress && asking.method !== 'HEAD'
      ? codingFor(asking.headers['accept-encoding'] as string | undefined, lengthOf(body))
      : undefined
  const plain = () => ({ status, etag, coding: undefined, body: isContent(body) ? body.bytes() : body })
  if (coding === undefined) return borrows && isContent(body) ? lent(status, etag, body) : plain()
  try {
    const small = isContent(body) ? body.encoded(coding) : compress(body, coding)
    if (Buffer.isBuffer(small)) return { status, etag, coding, body: small }
    // the body as it is, should the compressor fail
    return small.then((bytes) => ({ status, etag, coding, body: bytes }), plain)
  } catch {
    return plain()
  }
}

function lent(status: number, etag: string, content: Content): Outgoing {
  const loan = content.lend?.()
  if (loan === undefined) return { status, etag, coding: undefined, body: content.bytes() }
  return { status, etag, coding: undefined, body: loan.bytes, loan }
}

/** Sends a reply through the framework. `Vary` collects what earlier hooks, the reply and compression name. */
export async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Reply,
  options: SendOptions,
): Promise<void> {
  putHeaders(reply, answer.headers)
  const mayCompress = options.compress && answer.body !== undefined && canBeCompressed(reply)
  if (mayCompress) putHeaders(reply, { vary: 'Accept-Encoding' })
  const given = reply.getHeader('etag')
  const known = given === undefined ? undefined : String(given)
  const { status, etag, coding, body } = await outgoing(request, answer, { compress: mayCompress, etag: known })
  if (etag !== undefined) reply.header('etag', etag)
  if (status === 304) reply.removeHeader('content-type')
  if (coding !== undefined) reply.header('content-encoding', coding)
  reply.code(status).send(body)
  if (reply.raw.socket) options.wrote?.(reply.raw.socket, body)
}

/** Sets headers; `vary` is added to what is there. */
export function putHeaders(reply: FastifyReply, headers: Readonly<Record<string, string | string[]>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'vary') reply.header('vary', mergeVary(reply.getHeader('vary'), value))
    else reply.header(name, value)
  }
}

/** The names of all, each once; `*` stands for all. */
export function mergeVary(...values: (number | string | string[] | undefined)[]): string {
  const names = new Map<string, string>()
  for (const name of values.flat().flatMap((value) => String(value ?? '').split(','))) {
    const trimmed = name.trim()
    if (trimmed !== '' && !names.has(trimmed.toLowerCase())) names.set(trimmed.toLowerCase(), trimmed)
  }
  return names.has('*') ? '*' : [...names.values()].join(', ')
}

function isFresh({ method, headers }: Asking, etag: string): boolean {
  const asked = headers['if-none-match']
  return asked !== undefined && (method === 'GET' || method === 'HEAD') && matchesEtag(asked, etag)
}

/** Not what is encoded already; a body without a type is text if it is a string, but then it is short. */
function canBeCompressed(reply: FastifyReply): boolean {
  return !reply.hasHeader('content-encoding') && isCompressible(String(reply.getHeader('content-type') ?? ''))
}

function lengthOf(body: string | Buffer | Content): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length
}
