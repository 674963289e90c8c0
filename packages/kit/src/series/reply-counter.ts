import type { CompletedReply } from '../http/app-options.ts'
import type { Counter, Labels } from './series.ts'

/**
 * Returns a function that counts replies by route and status. Labels are cached, because there are few routes and
 * statuses.
 */
export function createReplyCounter(counter: Counter): (seen: CompletedReply) => void {
  const routes = new Map<string, Map<number, Labels>>()
  return ({ route, status }) => {
    const statuses = routes.get(route) ?? new Map<number, Labels>()
    routes.set(route, statuses)
    const labels = statuses.get(status) ?? { route, status: String(status) }
    statuses.set(status, labels)
    counter.add(1, labels)
  }
}
