import { IncomingMessage } from 'node:http'
import { announcesBody } from '@burgee/kit/http/request-body'

/**
 * Returns a request whose body can be read. If an earlier body parser has consumed the body, returns a copy with the
 * content that this parser stored in `body`; reading the original request would never end.
 */
export function withReadableBody(request: IncomingMessage & { readonly body?: unknown }): IncomingMessage {
  if (!request.readableEnded || !announcesBody(request)) return request
  const { body } = request
  const text = body === undefined || Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body)
  const { 'content-encoding': _coding, 'transfer-encoding': _framing, ...headers } = request.headers
  const bytes = Buffer.from(text ?? '')
  const copy = new IncomingMessage(request.socket)
  copy.method = request.method
  copy.url = request.url
  copy.httpVersion = request.httpVersion
  copy.headers = { ...headers, 'content-length': String(bytes.length) }
  copy.push(bytes)
  copy.push(null)
  copy.complete = true
  return copy
}
