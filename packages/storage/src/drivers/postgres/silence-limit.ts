import type { Socket } from 'node:net'
import type { Client } from 'pg'

type Query = (config: unknown, ...more: unknown[]) => unknown

/**
 * Closes the connection if a query is unanswered and nothing has arrived for `defaultMs`, or for the `query_timeout` of
 * that query. Unlike the driver's own limit, this one reads data that has already arrived before it decides. After this
 * process has computed for a long time, timers run before sockets are read; without this step, an answered query would
 * look like a silent server.
 */
export function limitSilence(client: Client, defaultMs: number): void {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } }
  const own = client as unknown as { query: Query }
  const query = own.query.bind(client)
  own.query = (config, ...more) => {
    const { limitMs, rest } = takeLimit(config, defaultMs)
    const result = query(rest, ...more)
    if (limitMs > 0 && result instanceof Promise) watch(result, limitMs, connection)
    return result
  }
}

function takeLimit(config: unknown, defaultMs: number): { readonly limitMs: number; readonly rest: unknown } {
  if (typeof config !== 'object' || config === null || !('query_timeout' in config)) {
    return { limitMs: defaultMs, rest: config }
  }
  const { query_timeout: limitMs, ...rest } = config
  return { limitMs: Number(limitMs), rest }
}

function watch(result: Promise<unknown>, limitMs: number, connection: { readonly stream: Socket }): void {
  let received = connection.stream.bytesRead
  let timer: NodeJS.Timeout
  let isAnswered = false
  const check = (): void => {
    if (isAnswered) return
    const { stream } = connection
    if (stream.bytesRead === received) {
      stream.destroy(new Error('Query read timeout'))
      return
    }
    received = stream.bytesRead
    start()
  }
  const start = (): void => {
    // the event loop reads sockets between timers and `setImmediate`
    timer = setTimeout(() => setImmediate(check), limitMs)
  }
  const stop = (): void => {
    isAnswered = true
    clearTimeout(timer)
  }
  start()
  result.then(stop, stop)
}
