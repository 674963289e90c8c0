import type { BurgeeServer } from '@burgee/server'
import { Compile } from 'typebox/compile'

type Route = BurgeeServer['routes'][number]

/** A reply as `inject` gives it. */
interface SomeReply {
  readonly statusCode: number
  readonly body: string
}

/** What in a reply does not fit what its route promises; nothing for failures and for statuses without a schema. */
export function replyErrors(server: BurgeeServer, call: string, { statusCode, body }: SomeReply): string[] {
  const [method = '', url = ''] = call.split(' ')
  if (statusCode >= 400 || statusCode === 304) return []
  const route = server.routes.find((one) => one.method === method && matches(one, url))
  if (route === undefined) return [`No route for ${call}`]
  const promised = route.replies[statusCode]
  if (promised === undefined) return [`${call} does not promise the status ${statusCode}`]
  if (promised.schema === undefined) return []
  const compiled = Compile(promised.schema)
  return compiled.Errors(JSON.parse(body)).map((error) => `${error.instancePath} ${error.message}`)
}

function matches(route: Route, url: string): boolean {
  const path = (url.split('?', 1)[0] ?? '').replace(/\/{2,}/g, '/').replace(/\/$/, '')
  const pattern = route.url.replaceAll('*', '.*').replace(/:[A-Za-z]+/g, '[^/]+')
  return new RegExp(`^${pattern}$`, 'i').test(path)
}
