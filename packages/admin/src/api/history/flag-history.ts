import type { FlagHistory } from '@burgee/protocol/administration/flag-history'
import type { Restoration, RestorationInput } from '@burgee/protocol/administration/flag-restoration'
import { type FlagRef, flagPath } from '../flags.ts'
import { call, queryOf } from '../http.ts'

/** A moment: right after an event, or a time; with neither it is now. */
export interface Moment {
  readonly event?: number
  readonly at?: string
}

/** A flag as it was at a moment, and what is different at another one. */
export const flagHistory = (ref: FlagRef, { event, at }: Moment, to: Moment) =>
  call<FlagHistory>('GET', `${flagPath(ref)}/history${queryOf({ event, at, toEvent: to.event, toAt: to.at })}`)

const restorationPath = (ref: FlagRef) => `${flagPath(ref)}/history/restoration`

/** What bringing a flag back to a moment would do. */
export const previewRestoration = (ref: FlagRef, { event, at }: Moment) =>
  call<Restoration>('POST', `${restorationPath(ref)}/preview`, event === undefined ? { at } : { event })

/** Brings a flag, or parts of it, back. */
export const restoreFlag = (ref: FlagRef, body: RestorationInput) =>
  call<Restoration>('POST', restorationPath(ref), body)
