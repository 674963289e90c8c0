import type { Writable } from 'node:stream'
import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { ClientBase } from 'pg'
import { classifyDriverError, RUN_AGAIN } from './sqlstates.ts'

/**
 * A statement is prepared when it is used for this many times (the first use counts as 1). Statements that contain
 * lists of values are often used only once.
 */
const PREPARED_AT_USE = 3
const MAX_PREPARED_STATEMENTS = 300
const MAX_COUNTED_STATEMENTS = 1000

type Query = (text: unknown, values?: unknown) => Promise<unknown>

/**
 * Sends all statements that are issued in the same tick with a single write, because writing to a socket costs more
 * than building a statement. Statements are sent without waiting for earlier answers: a pipelined connection returns
 * the answers in order.
 */
export function batchWrites(client: ClientBase): void {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Writable } }
  const own = client as unknown as { query: Query }
  const query = own.query.bind(client)
  let isCorked = false
  own.query = (text, values) => {
    if (!isCorked) {
      const { stream } = connection
      isCorked = true
      stream.cork()
      process.nextTick(() => {
        isCorked = false
        stream.uncork()
      })
    }
    return query(text, values)
  }
}

const BEGIN = /^(begin|start transaction)/i
const END = /^(commit|rollback)$/i

/**
 * Prepares statements that recur, so that PostgreSQL parses and plans them only once. If tables have changed since a
 * statement was planned, it fails with the error code of a transaction conflict. All statements then get new names, and
 * the caller runs the transaction again. If `which` is 'in transactions', only statements within transactions are
 * prepared.
 */
export function prepareStatements(client: ClientBase, which: 'all' | 'in transactions'): void {
  const own = client as unknown as { query: Query }
  const query = own.query.bind(client)
  const uses = new BoundedCache<number>({ entries: MAX_COUNTED_STATEMENTS })
  const names = new Map<string, string>()
  let generation = 1
  let isNaming = which === 'all'
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined || names.size === MAX_PREPARED_STATEMENTS) return known
    const count = (uses.peek(text) ?? 0) + 1
    uses.set(text, count)
    if (count < PREPARED_AT_USE) return undefined
    const name = `burgee_${generation}_${names.size}`
    names.set(text, name)
    return name
  }
  own.query = (text, values) => {
    if (which === 'in transactions' && typeof text === 'string')
      isNaming = BEGIN.test(text) || (isNaming && !END.test(text))
    const isNamable = isNaming && typeof text === 'string' && Array.isArray(values) && values.length > 0
    const name = isNamable ? nameOf(text) : undefined
    if (name === undefined) return query(text, values)
    return query({ name, text, values }).catch((error: unknown) => {
      if (!isOutdated(error)) throw error
      names.clear()
      generation += 1
      const why = 'The tables have changed since the statement was prepared'
      throw Object.assign(new Error(why, { cause: error }), { code: RUN_AGAIN })
    })
  }
}

/** Returns true if an error means that tables have changed since the statement was planned. */
function isOutdated(error: unknown): boolean {
  const state = classifyDriverError(error)
  return state === 'unsupported' || state === 'unknown statement'
}
