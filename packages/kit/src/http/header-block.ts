import { validateHeaderName, validateHeaderValue } from 'node:http'
import { isCompressible } from './compression.ts'
import type { OutgoingReply, SendOptions } from './outgoing.ts'
import type { Reply } from './route.ts'

/** Headers by name, in any case. */
export type Headers = Readonly<Record<string, string | string[]>>

/** Shared empty object: blocks are cached by the identity of their header objects. */
export const NO_HEADERS: Readonly<Record<string, string>> = {}

/** Merges headers: later values replace earlier ones, except that the names in `vary` are combined. */
function mergeHeaders(before: Headers, after: Headers): Headers {
  return before === NO_HEADERS ? after : Object.fromEntries(collectHeaders(before, after))
}

/** The headers of a reply that do not depend on the bytes of its body. */
export interface HeaderBlock extends SendOptions {
  /** Alternating names and values, without content type and ETag. */
  readonly list: readonly (string | string[])[]
  /** The headers in `list` as text lines, each with its line break. */
  readonly lines: string
  readonly type: string | undefined
  readonly hasLength: boolean
  /** Lower-case names of all headers in the block. */
  readonly names: ReadonlySet<string>
}

type BlockCache = WeakMap<Headers, WeakMap<Headers, HeaderBlock>>

/**
 * Headers of a reply, split into headers that are the same in many replies and headers that are unique to this reply.
 */
interface SplitHeaders {
  readonly usual: Headers
  readonly own: Headers
}

const MAX_CACHED_TYPES = 64

/**
 * Cache of header blocks, keyed by the header objects of which they consist. Handlers and CORS code return the same
 * objects again and again.
 */
export class HeaderBlocks {
  readonly #mayCompress: boolean
  readonly #blocks: BlockCache = new WeakMap()
  /** Blocks of replies without a body, which are never compressed. */
  readonly #bodilessBlocks: BlockCache = new WeakMap()
  /** Header objects that have been used before. */
  readonly #seen = new WeakSet<Headers>()
  /** Header objects with only a content type, by type. */
  readonly #typeHeaders = new Map<string, Headers>()

  constructor(mayCompress: boolean) {
    this.#mayCompress = mayCompress
  }

  /**
   * Returns the block for the headers of the app (`first`), the route (`route`) and the reply. Route headers can differ
   * from reply to reply. The names in `vary` are combined. Throws for a header that cannot be sent.
   */
  get(first: Headers, route: Headers, reply: Reply): HeaderBlock {
    const { usual, own } = this.#split(reply.headers)
    const block = this.#getCached(first, usual, reply.body)
    if (route === NO_HEADERS && own === NO_HEADERS) return block
    const more = own === NO_HEADERS ? route : { ...route, ...own }
    const isApart = Object.keys(more).every((name) => !block.names.has(name) && isMinor(name))
    return isApart ? withHeaders(block, more) : this.#make(mergeHeaders(first, route), reply.headers, reply.body)
  }

  /**
   * Splits a header object, the first time it is used, into the content type, which is cached, and the other headers.
   * The content type is worth caching even if the other headers differ in each reply, such as the wait time of a 429.
   */
  #split(headers: Headers): SplitHeaders {
    if (headers === NO_HEADERS || this.#seen.has(headers)) return { usual: headers, own: NO_HEADERS }
    this.#seen.add(headers)
    const { 'content-type': type, ...own } = headers
    const names = Object.keys(own)
    const usual = typeof type === 'string' ? this.#getTypeHeaders(type) : undefined
    if (usual === undefined || names.length === 0 || !names.every(isMinor)) return { usual: headers, own: NO_HEADERS }
    return { usual, own }
  }

  #getTypeHeaders(type: string): Headers | undefined {
    const known = this.#typeHeaders.get(type)
    if (known !== undefined || this.#typeHeaders.size === MAX_CACHED_TYPES) return known
    const headers = { 'content-type': type }
    this.#seen.add(headers)
    this.#typeHeaders.set(type, headers)
    return headers
  }

  #getCached(first: Headers, headers: Headers, body: Reply['body']): HeaderBlock {
    const blocks = body === undefined ? this.#bodilessBlocks : this.#blocks
    let behind = blocks.get(first)
    if (behind === undefined) {
      behind = new WeakMap()
      blocks.set(first, behind)
    }
    const known = behind.get(headers)
    if (known !== undefined) return known
    const made = this.#make(first, headers, body)
    behind.set(headers, made)
    return made
  }

  #make(first: Headers, headers: Headers, body: Reply['body']): HeaderBlock {
    return makeBlock(first, headers, this.#mayCompress && body !== undefined)
  }
}

/** Names of headers whose value affects other headers. */
const DECISIVE: ReadonlySet<string> = new Set(['vary', 'content-type', 'content-encoding', 'content-length', 'etag'])

/** Returns true for a header name in lower case that does not affect other headers. */
const isMinor = (name: string) => !DECISIVE.has(name) && name === name.toLowerCase()

/** Returns a copy of a block with more headers appended. The block must not already contain these headers. */
function withHeaders(block: HeaderBlock, headers: Headers): HeaderBlock {
  const list = [...block.list]
  let { lines } = block
  for (const [name, value] of Object.entries(headers)) {
    requireSendable(name, value)
    list.push(name, value)
    lines += formatHeaderLines(name, value)
  }
  return { ...block, list, lines }
}

function formatHeaderLines(name: string, value: string | string[]): string {
  if (typeof value === 'string') return `${name}: ${value}\r\n`
  return value.map((one) => `${name}: ${one}\r\n`).join('')
}

function makeBlock(first: Headers, headers: Headers, mayCompress: boolean): HeaderBlock {
  const all = collectHeaders(first, headers)
  const type = all.get('content-type')?.toString()
  const compress = mayCompress && !all.has('content-encoding') && isCompressible(type ?? '')
  if (compress) all.set('vary', mergeVary(all.get('vary'), 'Accept-Encoding'))
  const etag = all.get('etag')?.toString()
  const names = new Set(all.keys())
  all.delete('content-type')
  all.delete('etag')
  return {
    // an array in the list stands for a header that is sent several times
    list: [...all].flat(),
    lines: [...all].map(([name, value]) => formatHeaderLines(name, value)).join(''),
    names,
    type,
    etag,
    hasLength: all.has('content-length'),
    compress,
  }
}

/** Collects headers by lower-case name. Throws for a header that cannot be sent. */
function collectHeaders(...several: readonly Headers[]): Map<string, string | string[]> {
  const all = new Map<string, string | string[]>()
  for (const [written, value] of several.flatMap((headers) => Object.entries(headers))) {
    const name = written.toLowerCase()
    requireSendable(name, value)
    all.set(name, name === 'vary' ? mergeVary(all.get(name), value) : value)
  }
  return all
}

/** Combines the names in several `Vary` headers without duplicates; `*` replaces all names. */
function mergeVary(...values: (string | string[] | undefined)[]): string {
  const names = new Map<string, string>()
  for (const name of values.flat().flatMap((value) => (value ?? '').split(','))) {
    const trimmed = name.trim()
    if (trimmed !== '' && !names.has(trimmed.toLowerCase())) names.set(trimmed.toLowerCase(), trimmed)
  }
  return names.has('*') ? '*' : [...names.values()].join(', ')
}

function requireSendable(name: string, value: string | string[]): void {
  validateHeaderName(name)
  for (const one of typeof value === 'string' ? [value] : value) validateHeaderValue(name, one)
}

const TEXT = 'text/plain; charset=utf-8'
const BYTES = 'application/octet-stream'

/**
 * Returns the headers that depend on the body, as alternating names and values: content type, ETag, content encoding
 * and length.
 */
export function buildBodyHeaders(
  block: HeaderBlock,
  { status, etag, coding, body }: OutgoingReply,
  method: string,
): string[] {
  const list: string[] = []
  const tag = etag ?? block.etag
  const type = block.type ?? (body === undefined ? undefined : typeof body === 'string' ? TEXT : BYTES)
  if (type !== undefined && status !== 304) list.push('content-type', type)
  if (tag !== undefined) list.push('etag', tag)
  if (coding !== undefined) list.push('content-encoding', coding)
  if (block.hasLength) return list
  if (body !== undefined) list.push('content-length', String(Buffer.byteLength(body)))
  else if (status !== 204 && status !== 304 && method !== 'HEAD') list.push('content-length', '0')
  return list
}
