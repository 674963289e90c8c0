import type { Caller } from '@burgee/kit/http/route'
import { invalid } from '@burgee/kit/input/refusals'

/** By which an SDK says what it knows. */
export const CLIENT_SPEC_HEADER = 'unleash-client-spec'

const VERSION = /^[v=\s]*(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?$/
const FIRST_WITH_SEGMENTS = [4, 2, 0]

/**
 * Whether an SDK that sends this `Unleash-Client-Spec` header knows segments: from 4.2.0 on. No header, no segments.
 * Throws ValidationError for what is no version.
 */
export function knowsSegments(header: string | undefined): boolean {
  const found = findSegmentKnowledge(header)
  if (found === undefined) throw invalid(`The Unleash-Client-Spec header is no version: "${header}".`)
  return found
}

/** The same; undefined for what is no version. */
function findSegmentKnowledge(header: string | undefined): boolean | undefined {
  if (header === undefined || header === '') return false
  const parts = VERSION.exec(header.trim())
  if (parts === null) return undefined
  for (const [index, least] of FIRST_WITH_SEGMENTS.entries()) {
    const part = Number(parts[index + 1])
    if (part !== least) return part > least
  }
  return true
}

/** Whether the SDK that sends a request knows segments. Throws ValidationError, see `knowsSegments`. */
export const isForSegments = (caller: Caller): boolean => knowsSegments(specOf(caller))

/** The same, for endpoints that refuse nobody for this header: what is no version knows no segments. */
export const isSurelyForSegments = (caller: Caller): boolean => findSegmentKnowledge(specOf(caller)) === true

function specOf({ headers }: Caller): string | undefined {
  const header = headers[CLIENT_SPEC_HEADER]
  return Array.isArray(header) ? header[0] : header
}
