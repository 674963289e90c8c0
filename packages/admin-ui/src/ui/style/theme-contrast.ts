import { useSyncExternalStore } from 'react'

const STORAGE_KEY = 'burgee-contrast'
const SYSTEM_SETTING = matchMedia('(prefers-contrast: more)')
const listeners = new Set<() => void>()

/** Returns true if high contrast is on, by the stored choice or, if there is none, by the system setting. */
export function isHighContrast(): boolean {
  const chosen = localStorage.getItem(STORAGE_KEY)
  return chosen === null ? SYSTEM_SETTING.matches : chosen === 'high'
}

/** Turns high contrast on or off and stores the choice in this browser. */
export function setHighContrast(isHigh: boolean): void {
  localStorage.setItem(STORAGE_KEY, isHigh ? 'high' : 'normal')
  applyContrast()
}

/** Applies the contrast setting now and whenever it changes. The style sheet reads it from the root element. */
export function followContrast(): void {
  applyContrast()
  SYSTEM_SETTING.addEventListener('change', applyContrast)
}

function applyContrast(): void {
  document.documentElement.dataset.contrast = isHighContrast() ? 'high' : 'normal'
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns true for high contrast. */
export const useHighContrast = (): boolean => useSyncExternalStore(subscribe, isHighContrast)
