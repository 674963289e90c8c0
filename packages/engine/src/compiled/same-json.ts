import { isRaw, type Raw } from '../rules/raw-value.ts'

/**
 * Returns true if two JSON values are deeply equal, with keys in the same order, so that they serialize identically.
 * Stops at the first difference. Values that are nested too deeply to be compared count as different. Never throws for
 * values parsed from JSON.
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  try {
    return isEqual(a, b)
  } catch {
    return false // the values are nested too deeply for the stack
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isRaw(a) || !isRaw(b)) return false
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && isSameList(a, b)
  return isSameObject(a, b)
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!isEqual(a[i], b[i])) return false
  return true
}

function isSameObject(a: Raw, b: Raw): boolean {
  const keys = Object.keys(a)
  const others = Object.keys(b)
  if (keys.length !== others.length) return false
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string
    if (key !== others[i] || !isEqual(a[key], b[key])) return false
  }
  return true
}
