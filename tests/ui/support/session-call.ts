import type { ADMIN, UiServer } from './ui-server.ts'

/** Calls the admin API in a user's session, as a page does. Rejects on an error status. */
export type SessionCall = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** Starts a session of a user outside of any browser. */
export async function sessionCall({ url }: Pick<UiServer, 'url'>, who: typeof ADMIN): Promise<SessionCall> {
  const json = { 'content-type': 'application/json' }
  const login = await fetch(`${url}/auth/simple/login`, { method: 'POST', headers: json, body: JSON.stringify(who) })
  if (!login.ok) throw new Error(`${who.username} cannot log in: ${login.status}`)
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  return async <T>(method: string, path: string, body?: unknown) => {
    const headers = { cookie, origin: new URL(url).origin, ...(body === undefined ? {} : json) }
    const reply = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
}
