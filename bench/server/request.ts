/** Parts that a request is built from. */
export interface RequestParts {
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly token: string
  readonly headers?: Readonly<Record<string, string>>
  /** Body, sent as JSON. */
  readonly body?: object
}

/** Returns a request as Latin-1 text; all parts must be ASCII. */
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
