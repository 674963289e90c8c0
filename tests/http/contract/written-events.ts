import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BurgeeServer } from '@burgee/server'

/** Call of an operation, and the types of the events that the call has written. */
interface OperationCall {
  readonly operation: string
  readonly written: Set<string>
}

const current = new AsyncLocalStorage<OperationCall>()

/** Records each event for the operation whose call wrote it. Events of background work belong to no operation. */
export function noteEvents(events: readonly { readonly type: string }[]): void {
  const call = current.getStore()
  for (const { type } of events) call?.written.add(type)
}

/** Runs a call and returns its result, and the types of the events that it wrote without declaring them. */
type EventCheck = <T>(
  call: string,
  work: () => Promise<T>,
) => Promise<{ readonly result: T; readonly undeclared: string[] }>

/**
 * Creates a check of the events that calls write against the types that the routes of a server declare. With
 * `RECORD_EVENTS=<folder>`, it also appends each operation and event type to a file there.
 */
export function createEventCheck({ routes }: BurgeeServer, basePath = ''): EventCheck {
  const patterns = routes
    .filter(({ url }) => !url.includes('*'))
    .map(({ method, url, eventTypes = [] }) => ({
      operation: `${method} ${url}`,
      method,
      eventTypes: new Set(eventTypes),
      // fixed paths take precedence over parameters
      rank: url.replaceAll(/:\w+/g, '\uffff'),
      pattern: new RegExp(`^${escapePattern(basePath + url).replaceAll(/:\w+/g, '[^/]+')}/?$`, 'i'),
    }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
  return async (call, work) => {
    const [verb = '', url = ''] = call.split(' ')
    const path = url.split('?', 1)[0] ?? ''
    const route = patterns.find(({ method, pattern }) => method === verb && pattern.test(path))
    if (route === undefined) return { result: await work(), undeclared: [] }
    const written = new Set<string>()
    const result = await current.run({ operation: route.operation, written }, work)
    record(route.operation, written)
    return { result, undeclared: [...written].filter((type) => !route.eventTypes.has(type)) }
  }
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^$()|[\]\\{}]/g, '\\$&')
}

function record(operation: string, written: ReadonlySet<string>): void {
  const folder = process.env.RECORD_EVENTS
  if (folder === undefined) return
  for (const type of written) appendFileSync(join(folder, String(process.pid)), `${operation}\t${type}\n`)
}
