import type { Caller } from '@burgee/kit/http/route'

/** By which an SDK says what it knows. */
export const CLIENT_SPEC_HEADER = 'unleash-client-spec'

const VERSION = /^[v=\s]*(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?$/
const FIRST_WITH_SEGMENTS = [4, 2, 0]

/**
 * Returns true if an SDK that sends this `Unleash-Client-Spec` header knows segments: from 4.2.0 on. An SDK without the
 * header, or with one that is no version, gets constraints in the place of segments, which every SDK reads alike.
 */
export function knowsSegments(header: string | undefined): boolean {
  const parts = VERSION.exec(header?.trim() ?? '')
  if (parts === null) return false
  for (const [index, least] of FIRST_WITH_SEGMENTS.entries()) {
    const part = Number(parts[index + 1])
    if (part !== least) return part > least
  }
  return true
}

/** Returns true if the SDK that sends a request knows segments. */
export const isForSegments = (caller: Caller): boolean => knowsSegments(specOf(caller))

function specOf({ headers }: Caller): string | undefined {
  const header = headers[CLIENT_SPEC_HEADER]
  return Array.isArray(header) ? header[0] : header
}
