import type { FlagPeople, PresenceChoice } from '@burgee/protocol/user'
import { type FlagRef, flagPath } from '../flags.ts'
import { BASE_PATH, call, queryOf } from '../http.ts'

const PRESENCE = '/api/admin/user/presence'
const PEOPLE_READ_EVERY_MS = 10_000
/** A server that hangs is not to be asked by ever more requests at once. */
const PATIENCE_MS = 10_000

/** Says that the person looks at a flag. Never rejects: nothing hangs on it. */
export const tellPresence = ({ project, feature }: FlagRef) => quietly('PUT', PRESENCE, { project, feature })

/** Says that the person no longer does, also while the page goes. Never rejects. */
export const leavePresence = ({ project, feature }: FlagRef) =>
  quietly('DELETE', `${PRESENCE}${queryOf({ project, feature })}`)

/** Sent past `call`: whether it came is of no interest, least of all to a banner. */
async function quietly(method: 'PUT' | 'DELETE', path: string, body?: FlagRef): Promise<void> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) }
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const options = { method, credentials: 'same-origin', keepalive: true, headers, signal, ...content } as const
  await fetch(`${BASE_PATH}${path}`, options).catch(() => undefined)
}

/** Who else looks at a flag and who follows it; read again and again while somebody looks, and not again where it fails. */
export const flagPeopleQuery = ({ project, feature }: FlagRef, isAttentive: boolean) => ({
  queryKey: ['flag-people', project, feature],
  queryFn: () => call<FlagPeople>('GET', `${flagPath({ project, feature })}/people`),
  refetchInterval: isAttentive ? PEOPLE_READ_EVERY_MS : (false as const),
  // who comes back to the page sees who is there now
  staleTime: 0,
  retry: false,
})

/** Whether others see which flag I look at. */
export const PRESENCE_CHOICE = {
  queryKey: ['presence-choice'],
  queryFn: () => call<PresenceChoice>('GET', PRESENCE),
} as const

/** Shows others which flag I look at, or does not. */
export const choosePresence = (body: PresenceChoice) => call<PresenceChoice>('PUT', `${PRESENCE}/shown`, body)
