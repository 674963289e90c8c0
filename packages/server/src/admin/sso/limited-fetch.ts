import { fetchAnyPort } from '@burgee/serving/upstream/fetch-any-port'
import type { CustomFetch } from 'openid-client'
import { isSafe } from './oidc-settings.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1024 * 1024
/** Status codes of responses that have no body. */
const EMPTY = new Set([204, 205, 304])

/** Calls a provider over TLS, without following redirects, within ten seconds and with at most one megabyte of data. */
export const fetchLimited: CustomFetch = async (url, options) => {
  if (!isSafe(new URL(url))) throw new TypeError('The provider returned an address without TLS')
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  const signal = options.signal === undefined ? limit : AbortSignal.any([options.signal, limit])
  const { method, headers, body: sent = null } = options
  const reply = await fetchAnyPort(url, { method, headers, body: sent, signal })
  const body = await readBytes(reply)
  return new Response(EMPTY.has(reply.status) ? null : body, { status: reply.status, headers: [...reply.headers] })
}

async function readBytes({ body }: { readonly body: AsyncIterable<Uint8Array> | null }): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new TypeError('The response of the provider is larger than a megabyte')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
