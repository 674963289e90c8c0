import type { Caller } from '@burgee/kit/http/route'
import type { TokenCaller } from '../../store/usage/token-callers.ts'

const LONGEST = 100
/** SDKs of browsers had a letter before the names for a while. */
const PREFIXES = ['unleash-', 'x-unleash-']

/**
 * Who an SDK says it is, in the headers that all official ones send, or as those of front ends do in the query. Anybody
 * can say anything: it is shown, cut short, and nothing follows from it.
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

/** What is no text, or holds what no database keeps, is nothing. */
function shown(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null
  return value
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, LONGEST)
    .toWellFormed()
}
