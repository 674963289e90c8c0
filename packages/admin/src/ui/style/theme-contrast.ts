import { useSyncExternalStore } from 'react'

const STORED = 'burgee-contrast'
const WISH = matchMedia('(prefers-contrast: more)')
const listeners = new Set<() => void>()

/** Returns true for high contrast: the stored choice, else the system setting. */
export function isHighContrast(): boolean {
  const chosen = localStorage.getItem(STORED)
  return chosen === null ? WISH.matches : chosen === 'high'
}

/** Turns high contrast on or off and stores the choice in this browser. */
export function setHighContrast(isHigh: boolean): void {
  localStorage.setItem(STORED, isHigh ? 'high' : 'normal')
  showContrast()
}

/** Applies the contrast setting now and on changes. The style sheet reads it from the root element. */
export function followContrast(): void {
  showContrast()
  WISH.addEventListener('change', showContrast)
}

function showContrast(): void {
  document.documentElement.dataset.contrast = isHighContrast() ? 'high' : 'normal'
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns true for high contrast. */
export const useHighContrast = (): boolean => useSyncExternalStore(subscribe, isHighContrast)
