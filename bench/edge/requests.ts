import { mixContext, mixDocument } from '../mix.ts'

/** Request headers that differ between requests. */
export interface RequestHeaders {
  readonly key: string
  readonly etag?: string
  readonly isCompressed?: boolean
}

/** Number of different contexts before they repeat. */
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

/** Number of reporting instances. There are so many that no single instance reaches a rate limit. */
const INSTANCES = 200

/** Returns usage reports from many instances, each with counts for a number of flags. */
export function metricsTexts(flags: number, { key }: RequestHeaders): string[] {
  const [start, stop] = ['2026-11-01T10:00:00.000Z', '2026-11-01T10:01:00.000Z']
  const names = mixDocument({ features: flags, segmentValues: 0 }).features.map(({ name }) => name)
  return Array.from({ length: INSTANCES }, (_, number) => {
    const toggles = Object.fromEntries(names.map((name, flag) => [name, { yes: flag, no: number + 1, variants: {} }]))
    const report = { appName: 'bench', instanceId: `instance-${number}`, bucket: { start, stop, toggles } }
    const body = JSON.stringify(report)
    const headers = [
      'Host: 127.0.0.1',
      `Authorization: ${key}`,
      'Content-Type: application/json',
      `Unleash-Client-Spec: ${CLIENT_SPEC}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    return `POST /api/client/metrics HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`
  })
}
