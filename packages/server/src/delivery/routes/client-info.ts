import type { Caller } from '@burgee/kit/http/route'
import type { TokenCaller } from '@burgee/storage/queries/usage/token-callers'

const MAX_LENGTH = 100
/** Prefixes of headers that identify an SDK. Browser SDKs of some versions send `x-unleash-`. */
const PREFIXES = ['unleash-', 'x-unleash-']

/**
 * Returns the name and version by which an SDK identifies itself. Official SDKs send name and version in headers;
 * frontend SDKs can also send them in the query. The values are not verified. Names and versions are shortened, and
 * used for display only.
 */
export function parseClientInfo({ headers, url }: Pick<Caller, 'headers' | 'url'>): TokenCaller {
  const getHeader = (name: string): string | null => {
    const value = PREFIXES.map((prefix) => headers[`${prefix}${name}`]).find((one) => one !== undefined)
    return sanitize(value)
  }
  return {
    appName: getHeader('appname') ?? sanitize(new URLSearchParams(url.split('?', 2)[1]).get('appName')),
    instanceId: getHeader('instanceid') ?? getHeader('connection-id'),
    sdkVersion: getHeader('sdk'),
  }
}

/**
 * Shortens a text and removes characters that a database cannot store. Returns null for an empty string and for other
 * types.
 */
function sanitize(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null
  return value
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, MAX_LENGTH)
    .toWellFormed()
}
