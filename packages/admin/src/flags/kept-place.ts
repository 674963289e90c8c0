const STORED = 'burgee-place'

/** How far down the person was in a list, in pixels; the top for another list than the last one of this window. */
export function keptPlace(list: string): number {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? 'null')
    const { list: last, top } = (kept ?? {}) as { list?: unknown; top?: unknown }
    return last === list && typeof top === 'number' ? top : 0
  } catch {
    return 0
  }
}

/** Notes how far down the person is, for the way back. */
export const keepPlace = (list: string, top: number): void =>
  sessionStorage.setItem(STORED, JSON.stringify({ list, top }))
