import type { FlagHistory } from '@burgee/protocol/administration/flag-history'
import type { Restoration, RestorationInput } from '@burgee/protocol/administration/flag-restoration'
import { type FlagRef, flagPath } from '../flags.ts'
import { call, queryOf } from '../http.ts'

/** Point in time: directly after an event, or at a given time. Without either, it means now. */
export interface Moment {
  readonly event?: number
  readonly at?: string
}

/** Fetches the state of a flag at a moment, and the differences from its state at another moment. */
export const flagHistory = (ref: FlagRef, { event, at }: Moment, to: Moment) =>
  call<FlagHistory>('GET', `${flagPath(ref)}/history${queryOf({ event, at, toEvent: to.event, toAt: to.at })}`)

const restorationPath = (ref: FlagRef) => `${flagPath(ref)}/history/restoration`

/** Previews restoring a flag to its state at a moment. */
export const previewRestoration = (ref: FlagRef, { event, at }: Moment) =>
  call<Restoration>('POST', `${restorationPath(ref)}/preview`, event === undefined ? { at } : { event })

/** Restores a flag, or parts of it, to an earlier state. */
export const restoreFlag = (ref: FlagRef, body: RestorationInput) =>
  call<Restoration>('POST', restorationPath(ref), body)
