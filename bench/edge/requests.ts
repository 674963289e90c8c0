import { mixContext } from '../mix.ts'

/** Request headers that vary. */
export interface RequestHeaders {
  readonly key: string
  readonly etag?: string
  readonly isCompressed?: boolean
}

/** Number of different contexts, after which they repeat. */
const CONTEXTS = 200_000
const CLIENT_SPEC = '5.2.0'

/** Returns a GET request as text. */
export function getText(path: string, { key, etag, isCompressed }: RequestHeaders): string {
  const headers = [
    'Host: 127.0.0.1',
    `Authorization: ${key}`,
    'Accept: application/json',
    `Unleash-Client-Spec: ${CLIENT_SPEC}`,
  ]
  if (isCompressed === true) headers.push('Accept-Encoding: gzip')
  if (etag !== undefined) headers.push(`If-None-Match: ${etag}`)
  return `GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`
}

/** Returns front-end requests, each with a different context. */
export function frontendTexts(path: string, asking: RequestHeaders): string[] {
  return Array.from({ length: CONTEXTS }, (_, number) => {
    const { properties, ...rest } = mixContext(number)
    const named = Object.entries(rest).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    const others = Object.entries(properties).map(([name, value]) => `properties[${name}]=${encodeURIComponent(value)}`)
    return getText(`${path}?${[...named, ...others].join('&')}`, asking)
  })
}
