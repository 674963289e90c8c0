const STORAGE_KEY = 'burgee-place'

/** Returns the scroll position of a list in pixels; 0 if a different list was shown last in this window. */
export function readScrollTop(list: string): number {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null')
    const { list: last, top } = (kept ?? {}) as { list?: unknown; top?: unknown }
    return last === list && typeof top === 'number' ? top : 0
  } catch {
    return 0
  }
}

/** Stores the scroll position, so that it can be restored when the user returns to the list. */
export const storeScrollTop = (list: string, top: number): void =>
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ list, top }))
