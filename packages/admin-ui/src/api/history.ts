import type { FlagHistory } from '@burgee/protocol/administration/flag-history'
import type { Restoration, RestorationInput } from '@burgee/protocol/administration/flag-restoration'
import { type FlagRef, getFlagPath } from './flags.ts'
import { buildQueryString, call } from './http.ts'

/** Point in time: directly after an event, or at a given time. If neither is given, the point in time is now. */
export interface PointInTime {
  readonly event?: number
  readonly at?: string
}

/** Fetches the state of a flag at a point in time, and the differences from its state at another point in time. */
export const fetchFlagHistory = (ref: FlagRef, { event, at }: PointInTime, to: PointInTime) =>
  call<FlagHistory>(
    'GET',
    `${getFlagPath(ref)}/history${buildQueryString({ event, at, toEvent: to.event, toAt: to.at })}`,
  )

const getRestorationPath = (ref: FlagRef) => `${getFlagPath(ref)}/history/restoration`

/** Previews restoring a flag to its state at a point in time. */
export const previewRestoration = (ref: FlagRef, { event, at }: PointInTime) =>
  call<Restoration>('POST', `${getRestorationPath(ref)}/preview`, event === undefined ? { at } : { event })

/** Restores a flag, or parts of it, to an earlier state. */
export const restoreFlag = (ref: FlagRef, body: RestorationInput) =>
  call<Restoration>('POST', getRestorationPath(ref), body)
