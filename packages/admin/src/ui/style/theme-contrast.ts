import { useSyncExternalStore } from 'react'

const STORED = 'burgee-contrast'
const WISH = matchMedia('(prefers-contrast: more)')
const listeners = new Set<() => void>()

/** Whether texts and borders stand out as much as they can: what was chosen here, else what the system asks for. */
export function isHighContrast(): boolean {
  const chosen = localStorage.getItem(STORED)
  return chosen === null ? WISH.matches : chosen === 'high'
}

/** Chooses high contrast, or the usual one; it stays chosen in this browser. */
export function setHighContrast(isHigh: boolean): void {
  localStorage.setItem(STORED, isHigh ? 'high' : 'normal')
  showContrast()
}

/** Puts the contrast into effect, and goes on doing so; the style sheet looks at the root element. */
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

/** Whether the contrast is high, for components. */
export const useHighContrast = (): boolean => useSyncExternalStore(subscribe, isHighContrast)
