import { invalid } from '@burgee/kit/input/refusals'
import type { PrometheusSettings, PrometheusSettingsInput } from '@burgee/protocol/administration/prometheus-source'
import type { Reader } from '@burgee/storage/database'
import { findSetting } from '@burgee/storage/queries/access/users'
import type { Change } from '../../core/execute.ts'
import { getOrigin } from '../../core/secrets/address-origin.ts'
import { putSetting } from '../../core/stored-setting.ts'

/** Name under which the settings are stored, and which events use. */
export const PROMETHEUS = 'impact.prometheus'
/** Encryption purpose under which the header is sealed. */
export const PROMETHEUS_PURPOSE = 'Prometheus header'
const MASK = '*****'

/** Stored settings. The header is stored encrypted; undefined if no header is configured. */
export interface StoredPrometheus {
  /** Address without a trailing slash; empty if no Prometheus server is configured. */
  readonly url: string
  readonly sealed?: string | undefined
}

/** Returns the stored settings. */
export async function readStoredPrometheus(reader: Reader): Promise<StoredPrometheus> {
  const stored = await findSetting(reader, PROMETHEUS)
  return stored === undefined ? { url: '' } : (JSON.parse(stored) as StoredPrometheus)
}

/** Converts settings for the API, with a mask for the header. */
export function toPrometheusView({ url, sealed }: StoredPrometheus): PrometheusSettings {
  return { url, authorization: sealed === undefined ? '' : MASK }
}

/**
 * Stores settings; creates no event if nothing changes. Events do not contain the header. Throws ValidationError, and
 * ConflictError if no key is configured to encrypt the header.
 */
export const putPrometheus: Change<PrometheusSettingsInput, StoredPrometheus> = async (tx, given, { secrets }) => {
  const before = await readStoredPrometheus(tx)
  const url = parseAddress(given.url)
  const { authorization = '' } = given
  const keepsHeader = authorization === MASK && before.sealed !== undefined
  if (authorization === MASK && !keepsHeader) throw invalid('No header is stored yet: enter one', 'body/authorization')
  if (keepsHeader && url !== '' && getOrigin(url) !== getOrigin(before.url)) {
    throw invalid('A server at another address requires its header again', 'body/authorization')
  }
  if (/[^\t\x20-\x7e]/.test(authorization)) {
    throw invalid('"authorization" must contain only printable ASCII characters', 'body/authorization')
  }
  const fresh = authorization === '' || url === '' ? undefined : secrets.seal(authorization, PROMETHEUS_PURPOSE)
  const after: StoredPrometheus = { url, sealed: keepsHeader && url !== '' ? before.sealed : fresh }
  if (after.url === before.url && after.sealed === before.sealed) return { result: before, events: [] }
  const states = { before: toEventState(before), after: { ...toEventState(after), secretChanged: !keepsHeader } }
  return { result: after, events: await putSetting(tx, { name: PROMETHEUS, value: after }, states) }
}

function toEventState({ url, sealed }: StoredPrometheus): object {
  return { url, hasAuthorization: sealed !== undefined }
}

/** Returns an address without a trailing slash. Throws ValidationError. */
function parseAddress(text: string): string {
  const trimmed = text.trim().replace(/\/+$/, '')
  if (trimmed === '') return ''
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined
  const isPlain =
    url !== undefined && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (isPlain && /^https?:$/.test(url.protocol)) return trimmed
  throw invalid('"url" must be an HTTP address without a user, a query and a fragment', 'body/url')
}
