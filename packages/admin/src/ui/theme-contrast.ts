import { useSyncExternalStore } from 'react'

const STORED = 'burgee-contrast'
const listeners = new Set<() => void>()

/** Whether texts and borders stand out as much as they can: what was chosen here, else what the system asks for. */
export function isHighContrast(): boolean {
  const chosen = localStorage.getItem(STORED)
  return chosen === null ? matchMedia('(prefers-contrast: more)').matches : chosen === 'high'
}

/** Chooses high contrast, or the usual one; it stays chosen in this browser. */
export function setHighContrast(isHigh: boolean): void {
  localStorage.setItem(STORED, isHigh ? 'high' : 'normal')
  showContrast()
}

/** Puts the contrast into effect; the style sheet looks at the root element. */
export function showContrast(): void {
  document.documentElement.dataset.contrast = isHighContrast() ? 'high' : 'normal'
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the contrast is high, for components. */
export const useHighContrast = (): boolean => useSyncExternalStore(subscribe, isHighContrast)
