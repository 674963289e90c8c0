import type { FlagRef } from '../api/flags.ts'

const STORAGE_KEY = 'burgee-recent'
const MAX_RECENT_FLAGS = 8

/** Returns the recently opened flags of this browser, newest first. */
export function readRecentFlags(): FlagRef[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isFlag).slice(0, MAX_RECENT_FLAGS) : []
  } catch {
    return []
  }
}

const isFlag = (one: unknown): one is FlagRef =>
  typeof one === 'object' &&
  one !== null &&
  typeof (one as FlagRef).project === 'string' &&
  typeof (one as FlagRef).feature === 'string'

/** Remembers that a flag was opened. */
export function recordOpenedFlag({ project, feature }: FlagRef): void {
  storeRecentFlags([{ project, feature }, ...listRecentExcept(feature)])
}

/** Removes a deleted flag from the recent flags. */
export const removeRecentFlag = (feature: string): void => storeRecentFlags(listRecentExcept(feature))

/** Removes all recent flags, so that the next user of this browser does not see them. */
export const clearRecentFlags = (): void => localStorage.removeItem(STORAGE_KEY)

const listRecentExcept = (feature: string): FlagRef[] => readRecentFlags().filter((one) => one.feature !== feature)

const storeRecentFlags = (flags: readonly FlagRef[]): void =>
  localStorage.setItem(STORAGE_KEY, JSON.stringify(flags.slice(0, MAX_RECENT_FLAGS)))
