import type { AppOptions } from './app-options.ts'
import { refusalOf } from './refusal.ts'
import { type Caller, Reply, type Route } from './route.ts'

/** The status of a route's plain results: the lowest that it documents. */
export function statusOf(route: Pick<Route, 'replies'>): number {
  return Math.min(...Object.keys(route.replies).map(Number))
}

/** What a handler gave, as a reply. */
export function replyOf(status: number, result: unknown): Reply {
  if (result instanceof Reply) return result
  return result === undefined ? new Reply(status) : Reply.json(status, result)
}

/** The reply that a failure calls for. A failing renderer is logged and answered with 500 without body. */
export function rendered<Access>(
  options: Pick<AppOptions<Access>, 'renderError' | 'logger'>,
  error: unknown,
  caller: Caller,
): Reply {
  try {
    return options.renderError(refusalOf(error), caller)
  } catch (failure) {
    options.logger.error('An error could not be rendered', failure, error)
    return new Reply(500)
  }
}

/** An IPv4 address as a dual-stack socket shows it (`::ffff:192.0.2.1`) is that IPv4 address. */
export function plainAddress(address: string): string {
  if (!address.startsWith('::')) return address
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice('::ffff:'.length) : address
}
