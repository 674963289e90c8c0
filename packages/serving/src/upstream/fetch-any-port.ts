import { type Dispatcher, fetch, getGlobalDispatcher, type RequestInit, type Response } from 'undici'

const MAX_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const REPEATED: ReadonlySet<number> = new Set([307, 308])

/**
 * Works like `fetch`, but allows the ports that `fetch` blocks to protect browsers (6000, 10080 …), because an operator
 * may run an upstream on one of them. Returns redirects to the caller; `followAnyPort` follows redirects.
 */
export async function fetchAnyPort(url: string | URL, init: Omit<RequestInit, 'redirect'> = {}): Promise<Response> {
  const address = new URL(url)
  const { origin } = address
  const request: RequestInit = { ...init, redirect: 'manual' }
  if (address.port === '') return fetch(address, request)
  // the address passed to fetch has no port; the port is restored when the connection is chosen
  address.port = ''
  const withPort: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
    dispatch({ ...options, origin }, handler)
  return fetch(address, { ...request, dispatcher: (init.dispatcher ?? getGlobalDispatcher()).compose(withPort) })
}

/** Request that `followAnyPort` can repeat at another address. */
export interface RepeatableRequest {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly signal?: AbortSignal
  readonly dispatcher?: Dispatcher
}

/**
 * Calls `fetchAnyPort` and follows redirects. As with `fetch`, a redirect to another origin is followed without the
 * `authorization` header. For methods other than `GET`, only 307 and 308 are followed; other redirects are returned to
 * the caller.
 */
export async function followAnyPort(
  url: string | URL,
  { headers = {}, ...init }: RepeatableRequest,
): Promise<Response> {
  const followed = init.method === undefined || init.method === 'GET' ? REDIRECTS : REPEATED
  let address = new URL(url)
  let sent = headers
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await fetchAnyPort(address, { ...init, headers: sent })
    const location = response.headers.get('location')
    if (location === null || !followed.has(response.status)) return response
    await response.body?.cancel()
    const next = new URL(location, address)
    if (next.origin !== address.origin) sent = dropAuthorization(sent)
    address = next
  }
  throw new Error(`More than ${MAX_REDIRECTS} redirects`)
}

function dropAuthorization(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'))
}
