import type { Caller } from '@burgee/kit/http/route'

const HEADERS = ['unleash-sdk', 'x-unleash-sdk']
const MAX_LENGTH = 100

/** Returns the name and version of the SDK, truncated, as sent in the request headers; undefined if not sent. */
export function getSdkVersion({ headers }: Pick<Caller, 'headers'>): string | undefined {
  const value = HEADERS.map((name) => headers[name]).find((one) => typeof one === 'string' && one.trim() !== '')
  return typeof value === 'string'
    ? value
        .replaceAll(/\p{Cc}/gu, '')
        .slice(0, MAX_LENGTH)
        .toWellFormed()
    : undefined
}
