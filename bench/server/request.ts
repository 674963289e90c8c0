/** A request as it goes over the wire. */
export interface RequestParts {
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly token: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: object
}

/** The bytes of a request, as latin text: whatever goes into it is ASCII. */
export function requestBytes({ method = 'GET', path, token, headers = {}, body }: RequestParts): string {
  const content = body === undefined ? '' : JSON.stringify(body)
  const all = {
    Host: '127.0.0.1',
    Authorization: token,
    Accept: 'application/json',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(method === 'GET' ? {} : { 'Content-Length': String(content.length) }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${content}`
}
