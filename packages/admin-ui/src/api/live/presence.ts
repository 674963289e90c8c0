import type { FlagPeople, PresenceChoice } from '@burgee/protocol/user'
import { type FlagRef, getFlagPath } from '../flags.ts'
import { BASE_PATH, buildQueryString, call } from '../http.ts'

const PRESENCE = '/api/admin/user/presence'
const PEOPLE_POLL_MS = 10_000
/** Timeout in milliseconds, so that requests do not pile up at a server that hangs. */
const PRESENCE_TIMEOUT_MS = 10_000

/** Reports that the user is viewing a flag. Never rejects, because no other work depends on the result. */
export const reportPresence = ({ project, feature }: FlagRef) => sendQuietly('PUT', PRESENCE, { project, feature })

/** Reports that the user stopped viewing a flag. Also works while the page is being unloaded. Never rejects. */
export const reportAbsence = ({ project, feature }: FlagRef) =>
  sendQuietly('DELETE', `${PRESENCE}${buildQueryString({ project, feature })}`)

/** Sends a request without `call`, because failures must not show a banner. */
async function sendQuietly(method: 'PUT' | 'DELETE', path: string, body?: FlagRef): Promise<void> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) }
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(PRESENCE_TIMEOUT_MS)
  const options = { method, credentials: 'same-origin', keepalive: true, headers, signal, ...content } as const
  await fetch(`${BASE_PATH}${path}`, options).catch(() => undefined)
}

/**
 * Returns the query for the viewers and followers of a flag. The query polls only while the user is attentive, and does
 * not retry failures.
 */
export const getFlagPeopleQuery = ({ project, feature }: FlagRef, isAttentive: boolean) => ({
  queryKey: ['flag-people', project, feature],
  queryFn: () => call<FlagPeople>('GET', `${getFlagPath({ project, feature })}/people`),
  refetchInterval: isAttentive ? PEOPLE_POLL_MS : (false as const),
  // Fetch again when the user returns to the page, so that it always shows the current viewers.
  staleTime: 0,
  retry: false,
})

/** Query for the user's choice whether others see which flag the user is viewing. */
export const PRESENCE_CHOICE = {
  queryKey: ['presence-choice'],
  queryFn: () => call<PresenceChoice>('GET', PRESENCE),
} as const

/** Sets whether other users see which flag the user is viewing. */
export const updatePresenceChoice = (body: PresenceChoice) => call<PresenceChoice>('PUT', `${PRESENCE}/shown`, body)
