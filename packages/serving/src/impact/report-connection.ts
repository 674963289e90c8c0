import type { Caller } from '@burgee/kit/http/route'

/** Connection of an SDK, which corresponds to one process of an application. */
export interface ReportConnection {
  readonly id: string
  /** Time between reports, in milliseconds. */
  readonly intervalMs: number
}

/** Fields of a report that identify the connection if the request headers do not. */
interface ReportBody {
  readonly appName?: string
  readonly instanceId?: string | undefined
  readonly bucket?: { readonly start: string | number; readonly stop: string | number } | undefined
}

const DEFAULT_INTERVAL_MS = 60_000
const MIN_INTERVAL_MS = 1000
const MAX_INTERVAL_MS = 3_600_000
/** Maximum length of a connection id; the UUIDs that SDKs send are shorter. */
const MAX_ID_LENGTH = 100

/**
 * Returns the connection that a report comes from. SDKs send a random id for each process. If a report has no such id,
 * the instance id is used, although all processes on one machine can share an instance id.
 */
export function readConnection({ headers }: Pick<Caller, 'headers'>, body: ReportBody = {}): ReportConnection {
  const { appName = '', instanceId = '', bucket } = body
  const sent = headers['unleash-connection-id']
  const id = typeof sent === 'string' && sent !== '' ? sent : `${appName} ${instanceId}`
  const announced = Number(headers['unleash-interval'])
  const measured =
    bucket === undefined ? Number.NaN : new Date(bucket.stop).getTime() - new Date(bucket.start).getTime()
  const intervalMs = [announced, measured].find((ms) => ms >= MIN_INTERVAL_MS) ?? DEFAULT_INTERVAL_MS
  return { id: id.slice(0, MAX_ID_LENGTH), intervalMs: Math.min(intervalMs, MAX_INTERVAL_MS) }
}
