import { mixContext } from '../mix.ts'
import { REPEATED_CONTEXTS, type Scene } from './scene.ts'
import { CLIENT_KEY_HEADER } from './target.ts'

/** Returns the context number of the n-th request of a slice. */
export function contextNumber(scene: Scene, first: number, request: number): number {
  return scene.contexts === 'repeated' ? request % REPEATED_CONTEXTS : first + request
}

/** Returns a request for a context as text; `etag` is the ETag that the client has. */
export function requestText(scene: Scene, context: number, etag: string | undefined): string {
  const headers = ['Host: 127.0.0.1', `Authorization: ${CLIENT_KEY_HEADER}`, 'Accept: application/json']
  if (scene.isCompressed) headers.push('Accept-Encoding: gzip')
  if (scene.isConditional) headers.push(`If-None-Match: ${etag ?? 'W/"1-stale"'}`)
  if (scene.method === 'GET') return `GET ${getPath(context)} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`
  const body = JSON.stringify({ context: mixContext(context) })
  headers.push('Content-Type: application/json', `Content-Length: ${body.length}`)
  return `POST /proxy HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

function getPath(context: number): string {
  const { properties, ...rest } = mixContext(context)
  const named = Object.entries(rest).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const others = Object.entries(properties).map(([name, value]) => `properties[${name}]=${encodeURIComponent(value)}`)
  return `/proxy?${[...named, ...others].join('&')}`
}
