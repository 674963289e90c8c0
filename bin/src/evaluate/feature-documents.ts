import { readFile } from 'node:fs/promises'
import { isObject } from '@burgee/kit/input/is-object'
import { PROFILE_HEADER } from '@burgee/protocol/evaluation-profile'
import { type FeatureDocument, parseFeatureDocument } from '@burgee/serving/document/feature-document'
import { followAnyPort } from '@burgee/serving/upstream/fetch-any-port'

const MAX_BYTES = 128 * 1024 * 1024
/**
 * Client specification version sent in downloads. From 4.2.0 on, segments are separate from features and referenced by
 * number.
 */
const CLIENT_SPEC = '5.2.0'
const REFUSED = new Set([401, 403])

/** Options for downloading a document. */
export interface DownloadOptions {
  readonly token: string | undefined
  readonly limitMs: number
  /** Called with the evaluation profile that the server announces; null if it announces none. */
  readonly onProfile?: (name: string | null) => void
}

/** Error for a response with an unsuccessful status. */
export class StatusError extends Error {
  readonly status: number
  constructor(shown: string, status: number) {
    const hint = REFUSED.has(status) ? ': give a backend token by --token or BURGEE_TOKEN' : ''
    super(`${shown} returned ${status}${hint}`)
    this.status = status
  }

  /** True if the status means that the token is missing or invalid. */
  get isRefusal(): boolean {
    return REFUSED.has(this.status)
  }
}

/** Returns true if a location is a URL and not a file. */
export function isAddress(place: string): boolean {
  return /^https?:\/\//i.test(place)
}

/**
 * Returns the API URL of a server, edge or proxy, up to and including `/api`; returns a URL with any other path
 * unchanged.
 */
export function toApiUrl(address: string): URL {
  const url = new URL(address)
  if (/\/(api\/?)?$/.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/(api\/?)?$/, '')}/api`
  return url
}

/**
 * Returns the URL of the flags of a server, edge or proxy for SDKs. A URL whose path goes beyond `/api` is used
 * unchanged.
 */
export function toDocumentUrl(address: string): URL {
  const url = toApiUrl(address)
  if (url.pathname.endsWith('/api')) url.pathname += '/client/features'
  return url
}

/** Reads flags from a file: an SDK download, a list of flags, or a proxy's backup. */
export async function readFlags(path: string): Promise<FeatureDocument> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`Cannot read ${path} (${error.code ?? error.message})`)
  })
  return parseDocument(parseJson(content, path), path)
}

/**
 * Downloads flags. Throws StatusError for an unsuccessful status, otherwise an Error. Error messages contain no token
 * or query.
 */
export async function download(url: URL, asking: DownloadOptions): Promise<FeatureDocument> {
  return parseDocument(await downloadJson(url, asking), formatAddress(url))
}

/** Downloads JSON, with a limited time and size. Throws the same errors as `download`. */
export async function downloadJson(url: URL, { token, limitMs, onProfile }: DownloadOptions): Promise<unknown> {
  const shown = formatAddress(url)
  const headers = {
    accept: 'application/json',
    'unleash-client-spec': CLIENT_SPEC,
    'user-agent': 'burgee',
    ...(token === undefined ? {} : { authorization: token }),
  }
  const cannot = (error: Error) => {
    const { code } = (error.cause ?? error) as { code?: string }
    throw new Error(`Cannot reach ${shown} (${code ?? error.name})`)
  }
  const reply = await followAnyPort(url, { headers, signal: AbortSignal.timeout(limitMs) }).catch(cannot)
  if (!reply.ok) {
    await reply.body?.cancel()
    throw new StatusError(shown, reply.status)
  }
  onProfile?.(reply.headers.get(PROFILE_HEADER))
  return parseJson(await readText(reply, shown), shown)
}

/** Returns a URL without its query, as shown in messages. */
export function formatAddress(url: URL): string {
  return `${url.origin}${url.pathname}`
}

function parseJson(content: string, place: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw new Error(`${place} does not contain JSON`)
  }
}

function parseDocument(value: unknown, place: string): FeatureDocument {
  try {
    return parseFeatureDocument(Array.isArray(value) ? { features: value } : value)
  } catch (error) {
    const hint =
      isObject(value) && 'toggles' in value
        ? ': these are evaluation results for a front end, not flag definitions'
        : ''
    throw new Error(`${place} does not contain a flag configuration${hint || `: ${(error as Error).message}`}`)
  }
}

async function readText(reply: { readonly body: AsyncIterable<Uint8Array> | null }, shown: string): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of reply.body ?? []) {
    bytes += piece.byteLength
    if (bytes > MAX_BYTES) throw new Error(`The response of ${shown} is larger than ${MAX_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
