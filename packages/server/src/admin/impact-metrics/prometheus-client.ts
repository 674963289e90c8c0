import type { IncomingMessage } from 'node:http'
import { isObject } from '@burgee/kit/input/is-object'
import { toOneLine } from '@burgee/kit/one-line'
import { TimeoutError, withTimeout } from '@burgee/kit/with-timeout'
import { type CallGuard, CallRejected, guardedRequest } from '../integrations/guarded-request.ts'

/** Range query. Times are milliseconds since 1970. */
export interface RangeQuery {
  readonly query: string
  readonly start: number
  readonly end: number
  readonly step: number
  /** Maximum size of the reply. */
  readonly maxBytes: number
}

/** Series of a result: labels, and values by time in seconds since 1970. */
export interface PrometheusSeries {
  readonly labels: Readonly<Record<string, string>>
  readonly values: readonly (readonly [time: number, value: number])[]
}

/** Address of a Prometheus server, and the header to send to it. */
export interface PrometheusServer {
  readonly url: string
  readonly authorization: string | undefined
}

/** Thrown if a query returns no result. The message is for users, and contains no address and no secret. */
export class PrometheusFailure extends Error {
  override readonly name = 'PrometheusFailure'
  /** True if the server rejected this particular query, so that another query may succeed. */
  readonly isWrongQuery: boolean

  constructor(message: string, isWrongQuery = false) {
    super(message)
    this.isWrongQuery = isWrongQuery
  }
}

const TIMEOUT_MS = 10_000
const BYTES_PER_KIB = 1024
const MAX_MESSAGE = 300
const BAD_REQUESTS = new Set([400, 422])

/**
 * Reads a range query from a Prometheus server. Connects only to addresses that integrations may call. Takes at most
 * ten seconds and reads at most `maxBytes`. Throws PrometheusFailure.
 */
export async function readRange(
  { url, authorization }: PrometheusServer,
  { query, start, end, step, maxBytes }: RangeQuery,
  guard: CallGuard,
): Promise<PrometheusSeries[]> {
  const address = new URL(`${url}/api/v1/query_range`)
  const seconds = (ms: number) => String(ms / 1000)
  const times = { start: seconds(start), end: seconds(end), step: seconds(step) }
  address.search = new URLSearchParams({ query, ...times, timeout: seconds(TIMEOUT_MS) }).toString()
  const headers = { accept: 'application/json', ...(authorization === undefined ? {} : { authorization }) }
  const ending = new AbortController()
  try {
    const call = { url: address.href, method: 'GET', headers, body: '' }
    return await withTimeout(TIMEOUT_MS, read(call, { guard, maxBytes, signal: ending.signal }))
  } catch (error) {
    throw toFailure(error)
  } finally {
    ending.abort()
  }
}

interface ReadLimits {
  readonly guard: CallGuard
  readonly maxBytes: number
  readonly signal: AbortSignal
}

async function read(
  call: Parameters<typeof guardedRequest>[0],
  { guard, maxBytes, signal }: ReadLimits,
): Promise<PrometheusSeries[]> {
  const reply = await guardedRequest(call, guard, signal)
  const status = reply.statusCode ?? 0
  const body = parseBody(await readText(reply, maxBytes))
  if (BAD_REQUESTS.has(status) && isObject(body) && typeof body.error === 'string') {
    throw new PrometheusFailure(`Prometheus rejects the query: ${toOneLine(body.error.slice(0, MAX_MESSAGE))}`, true)
  }
  if (status !== 200) throw new PrometheusFailure(`Prometheus responded with status ${status}`)
  const data = isObject(body) ? body.data : undefined
  if (!isObject(data) || !Array.isArray(data.result)) throw new PrometheusFailure('The reply is not from Prometheus')
  return data.result.flatMap(toSeries)
}

async function readText(reply: IncomingMessage, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of reply as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > maxBytes) {
      const limit = `${maxBytes / BYTES_PER_KIB} KiB`
      throw new PrometheusFailure(`The result is larger than ${limit}: aggregate it in the query`, true)
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toSeries(item: unknown): PrometheusSeries[] {
  if (!isObject(item) || !isObject(item.metric) || !Array.isArray(item.values)) return []
  const labels = Object.fromEntries(Object.entries(item.metric).map(([name, value]) => [name, String(value)]))
  const values = item.values.flatMap((pair: unknown): (readonly [number, number])[] => {
    const [time, value] = Array.isArray(pair) ? (pair as unknown[]).map(Number) : []
    // NaN and Inf are not treated as values
    return time !== undefined && Number.isFinite(time) && Number.isFinite(value) ? [[time, value ?? 0]] : []
  })
  return [{ labels, values }]
}

function toFailure(error: unknown): PrometheusFailure {
  if (error instanceof PrometheusFailure) return error
  if (error instanceof CallRejected) return new PrometheusFailure(error.message)
  if (error instanceof TimeoutError) return new PrometheusFailure('Prometheus did not answer within 10 seconds')
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  return new PrometheusFailure(`Prometheus could not be reached${code}`)
}
