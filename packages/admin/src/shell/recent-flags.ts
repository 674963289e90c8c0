import type { FlagRef } from '../api/flags.ts'

const STORED = 'burgee-recent'
const MOST = 8

/** Returns the recently opened flags of this browser, newest first. */
export function recentFlags(): FlagRef[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isFlag).slice(0, MOST) : []
  } catch {
    return []
  }
}

const isFlag = (one: unknown): one is FlagRef =>
  typeof one === 'object' &&
  one !== null &&
  typeof (one as FlagRef).project === 'string' &&
  typeof (one as FlagRef).feature === 'string'

/** Stores that a flag was opened. */
export function noteOpened({ project, feature }: FlagRef): void {
  store([{ project, feature }, ...withoutFlag(feature)])
}

/** Removes a deleted flag. */
export const forgetOpened = (feature: string): void => store(withoutFlag(feature))

/** Removes all recent flags, because the next user of this browser has others. */
export const forgetAllOpened = (): void => localStorage.removeItem(STORED)

const withoutFlag = (feature: string): FlagRef[] => recentFlags().filter((one) => one.feature !== feature)

const store = (flags: readonly FlagRef[]): void => localStorage.setItem(STORED, JSON.stringify(flags.slice(0, MOST)))
