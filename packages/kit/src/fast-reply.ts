import type { ServerResponse } from 'node:http'
import { isCompressible } from './compression.ts'
import { mergeVary, type Outgoing } from './respond.ts'
import type { Reply } from './route.ts'

/** Headers by name, in any case. */
export type Headers = Readonly<Record<string, string | string[]>>

/** What is known about a reply's headers before its body is looked at. */
export interface HeaderBlock {
  /** Names and values in turn, without the content type and the tag. */
  readonly list: readonly (string | string[])[]
  readonly type: string | undefined
  /** The tag that the reply itself has. */
  readonly etag: string | undefined
  readonly hasLength: boolean
  readonly compress: boolean
  /** `write` gives bodies back. */
  readonly borrows: true
}

/** Header blocks by what they are made of: handlers and CORS give the same objects again and again. */
export class HeaderBlocks {
  readonly #mayCompress: boolean
  readonly #known = new WeakMap<Headers, WeakMap<Headers, HeaderBlock>>()

  constructor(mayCompress: boolean) {
    this.#mayCompress = mayCompress
  }

  /** The headers that come first and those of the reply; `vary` has the names of both. */
  of(first: Headers, { headers, body }: Reply): HeaderBlock {
    if (body === undefined) return makeBlock(first, headers, false)
    let behind = this.#known.get(first)
    if (behind === undefined) {
      behind = new WeakMap()
      this.#known.set(first, behind)
    }
    const known = behind.get(headers)
    if (known !== undefined) return known
    const made = makeBlock(first, headers, this.#mayCompress)
    behind.set(headers, made)
    return made
  }
}

function makeBlock(first: Headers, headers: Headers, mayCompress: boolean): HeaderBlock {
  const all = new Map<string, string | string[]>()
  for (const [written, value] of [...Object.entries(first), ...Object.entries(headers)]) {
    const name = written.toLowerCase()
    all.set(name, name === 'vary' ? mergeVary(all.get(name), value) : value)
  }
  const type = all.get('content-type')?.toString()
  const compress = mayCompress && !all.has('content-encoding') && isCompressible(type ?? '')
  if (compress) all.set('vary', mergeVary(all.get('vary'), 'Accept-Encoding'))
  const etag = all.get('etag')?.toString()
  all.delete('content-type')
  all.delete('etag')
  // a list within the list is one header that comes several times
  const list = [...all].flat()
  return { list, type, etag, hasLength: all.has('content-length'), compress, borrows: true }
}

const TEXT = 'text/plain; charset=utf-8'
const BYTES = 'application/octet-stream'

/** Writes a whole reply. What a client that reads slowly has not taken yet is kept, as everywhere, by its connection. */
export function write(response: ServerResponse, block: HeaderBlock, outgoing: Outgoing): void {
  const { status, etag, coding, body, giveBack } = outgoing
  const list = [...block.list]
  const tag = etag ?? block.etag
  const type = block.type ?? (body === undefined ? undefined : typeof body === 'string' ? TEXT : BYTES)
  if (type !== undefined && status !== 304) list.push('content-type', type)
  if (tag !== undefined) list.push('etag', tag)
  if (coding !== undefined) list.push('content-encoding', coding)
  if (body === undefined) {
    if (!block.hasLength && status !== 204 && status !== 304 && response.req.method !== 'HEAD') {
      list.push('content-length', '0')
    }
    response.writeHead(status, list).end()
    return
  }
  if (!block.hasLength) list.push('content-length', String(Buffer.byteLength(body)))
  // when all of it is with the operating system; a connection that breaks before that keeps it
  if (giveBack !== undefined) response.on('finish', giveBack)
  response.writeHead(status, list).end(body)
}
