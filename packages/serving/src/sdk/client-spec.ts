import { invalid } from '@burgee/kit/input/refusals'

const VERSION = /^[v=\s]*(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?$/
const FIRST_WITH_SEGMENTS = [4, 2, 0]

/**
 * Whether an SDK that sends this `Unleash-Client-Spec` header knows segments: from 4.2.0 on. No header, no segments.
 * Throws ValidationError for what is no version.
 */
export function knowsSegments(header: string | undefined): boolean {
  if (header === undefined || header === '') return false
  const parts = VERSION.exec(header.trim())
  if (parts === null) throw invalid(`The Unleash-Client-Spec header is no version: "${header}".`)
  for (const [index, least] of FIRST_WITH_SEGMENTS.entries()) {
    const part = Number(parts[index + 1])
    if (part !== least) return part > least
  }
  return true
}
