import type { AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import { isLive } from '../../shell/environment/production.ts'

/**
 * Maximum number of environments that are shown side by side. If a flag has more environments, the user chooses one
 * from a list.
 */
const MAX_SIDE_BY_SIDE = 2
const STORAGE_KEY = 'burgee-environment'

type Environment = Pick<AdminFeatureEnvironment, 'name' | 'type' | 'sortOrder'>

/** Returns true if a flag has so many environments that the user must choose one from a list. */
export const needsChoice = (environments: readonly unknown[]): boolean => environments.length > MAX_SIDE_BY_SIDE

/** Sorts environments with production first, then in their configured order. */
export function sortProductionFirst<T extends Environment>(environments: readonly T[]): T[] {
  return [...environments].sort((a, b) => Number(isLive(b)) - Number(isLive(a)) || a.sortOrder - b.sortOrder)
}

/**
 * Returns the environment to show: the environment in the URL, the one last chosen in this tab, or the flag's first
 * one; environments that do not exist are skipped.
 */
export function chooseEnvironment<T extends Environment>(
  sorted: readonly T[],
  wanted: string | undefined,
): T | undefined {
  const find = (name: string | null | undefined) => sorted.find((one) => one.name === name)
  return find(wanted) ?? find(sessionStorage.getItem(STORAGE_KEY)) ?? sorted[0]
}

/** Remembers the chosen environment for flags that are opened later in this tab. */
export const storeChosenEnvironment = (name: string): void => sessionStorage.setItem(STORAGE_KEY, name)
