/** Calls an API with a token and returns the JSON reply. Throws on an error status. */
export async function callAs<T>(token: string, method: string, url: string, body?: unknown): Promise<T> {
  const headers = { authorization: token, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const reply = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}
