const STORED = 'burgee-place'

/** Returns the scroll position in a list in pixels; 0 if another list was the last one in this window. */
export function keptPlace(list: string): number {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? 'null')
    const { list: last, top } = (kept ?? {}) as { list?: unknown; top?: unknown }
    return last === list && typeof top === 'number' ? top : 0
  } catch {
    return 0
  }
}

/** Stores the scroll position for the way back. */
export const keepPlace = (list: string, top: number): void =>
  sessionStorage.setItem(STORED, JSON.stringify({ list, top }))
