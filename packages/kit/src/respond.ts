import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Coding, chooseCoding, compress, isCompressible, LEAST_COMPRESSED_BYTES } from './compression.ts'
import { matchesEtag, weakEtag } from './etag.ts'
import type { Reply } from './route.ts'

/** How replies are sent. */
export interface SendOptions {
  /** Compress bodies for clients that accept it. */
  readonly compress: boolean
}

/**
 * Sends a reply with a weak ETag, or 304 without body when the client has it already (GET and HEAD, status 200; also
 * with `Cache-Control: no-cache`, which is meant for caches, and which `fetch` adds to If-None-Match). Compresses bodies of at least 1024 bytes as Accept-Encoding asks; the ETag
 * stays that of the plain body. `Vary` collects what earlier hooks, the reply and compression name.
 */
export async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Reply,
  options: SendOptions,
): Promise<void> {
  putHeaders(reply, answer.headers)
  if (answer.body === undefined) {
    reply.code(answer.status).send()
    return
  }
  const mayCompress = options.compress && canBeCompressed(reply)
  if (mayCompress) putHeaders(reply, { vary: 'Accept-Encoding' })
  const etag = String(reply.getHeader('etag') ?? weakEtag(answer.body))
  reply.header('etag', etag)
  if (answer.status === 200 && isFresh(request, etag)) {
    reply.removeHeader('content-type')
    reply.code(304).send()
    return
  }
  reply.code(answer.status)
  const coding = mayCompress ? codingFor(request, answer.body) : undefined
  reply.send(coding === undefined ? answer.body : await compressed(reply, answer.body, coding))
}

/** Sets headers; `vary` is added to what is there. */
export function putHeaders(reply: FastifyReply, headers: Readonly<Record<string, string | string[]>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'vary') reply.header('vary', mergeVary(reply.getHeader('vary'), value))
    else reply.header(name, value)
  }
}

/** The names of both, each once; `*` stands for all. */
function mergeVary(...values: (number | string | string[] | undefined)[]): string {
  const names = new Map<string, string>()
  for (const name of values.flat().flatMap((value) => String(value ?? '').split(','))) {
    const trimmed = name.trim()
    if (trimmed !== '' && !names.has(trimmed.toLowerCase())) names.set(trimmed.toLowerCase(), trimmed)
  }
  return names.has('*') ? '*' : [...names.values()].join(', ')
}

function isFresh(request: FastifyRequest, etag: string): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  return matchesEtag(request.headers['if-none-match'], etag)
}

/** Not what is encoded already; a body without a type is text if it is a string, but then it is short. */
function canBeCompressed(reply: FastifyReply): boolean {
  return !reply.hasHeader('content-encoding') && isCompressible(String(reply.getHeader('content-type') ?? ''))
}

function codingFor(request: FastifyRequest, body: string | Buffer): Coding | undefined {
  if (request.method === 'HEAD' || Buffer.byteLength(body) < LEAST_COMPRESSED_BYTES) return undefined
  return chooseCoding(request.headers['accept-encoding'] as string | undefined)
}

/** The body as it is, should the compressor fail. */
async function compressed(reply: FastifyReply, body: string | Buffer, coding: Coding): Promise<string | Buffer> {
  try {
    const small = await compress(body, coding)
    reply.header('content-encoding', coding)
    return small
  } catch {
    return body
  }
}
