import type { SelfTarget, SelfTargetInput } from '@burgee/protocol/administration/self-target'
import { type FlagEnvironment, getFlagPath } from './flags.ts'
import { buildPath, call } from './http.ts'

const getPath = (place: FlagEnvironment) =>
  `${getFlagPath(place)}/environments${buildPath(place.environment)}/self-targeting`

/** Returns the query for the users who get a flag in an environment for a limited time. */
export const getSelfTargetsQuery = (place: FlagEnvironment) => ({
  queryKey: ['self-targets', place.project, place.feature, place.environment],
  queryFn: () => call<SelfTarget[]>('GET', getPath(place)),
})

/** Gives a user a flag for a limited time. */
export const startSelfTarget = (place: FlagEnvironment, body: SelfTargetInput) =>
  call<SelfTarget>('POST', getPath(place), body)

/** Ends an override before its time. */
export const endSelfTarget = (place: FlagEnvironment, id: string) =>
  call<void>('DELETE', `${getPath(place)}${buildPath(id)}`)
