import type { Caller } from '@burgee/kit/http/route'
import type { TokenCaller } from '../../store/usage/token-callers.ts'

const LONGEST = 100
/** Header prefixes; browser SDKs added `x-` for a while. */
const PREFIXES = ['unleash-', 'x-unleash-']

/**
 * Returns the identity that an SDK claims, in the headers that all official SDKs send, or in the query as front-end
 * SDKs do. Claims are unverified: they are shortened for display, and nothing depends on them.
 */
export function callerTold({ headers, url }: Pick<Caller, 'headers' | 'url'>): TokenCaller {
  const told = (name: string): string | null => {
    const value = PREFIXES.map((prefix) => headers[`${prefix}${name}`]).find((one) => one !== undefined)
    return shown(value)
  }
  return {
    appName: told('appname') ?? shown(new URLSearchParams(url.split('?', 2)[1]).get('appName')),
    instanceId: told('instanceid') ?? told('connection-id'),
    sdkVersion: told('sdk'),
  }
}

/** Removes what no database stores, and shortens; null if the value is not a non-empty text. */
function shown(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null
  return value
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, LONGEST)
    .toWellFormed()
}
