import type { SeriesRegistry } from '@burgee/kit/series/series'
import { Problem } from '@burgee/protocol/problem'
import type { Sessions } from './sessions.ts'

/** Adds a metric of logins. Returns a function that wraps sessions, so that their logins are counted. */
export function countLogins(registry: SeriesRegistry): (sessions: Sessions) => Sessions {
  const logins = registry.counterFromZero(
    'burgee_logins_total',
    'Logins with a password by result: success, failure.',
    [{ result: 'success' }, { result: 'failure' }],
  )
  return (sessions) => ({
    ...sessions,
    async login(login, from) {
      try {
        const opened = await sessions.login(login, from)
        logins.add(1, { result: 'success' })
        return opened
      } catch (error) {
        if (error instanceof Problem) logins.add(1, { result: 'failure' })
        throw error
      }
    },
  })
}
