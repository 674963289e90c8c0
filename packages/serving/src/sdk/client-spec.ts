import type { Caller } from '@burgee/kit/http/route'

/** Header in which an SDK sends its version of the client specification. */
export const CLIENT_SPEC_HEADER = 'unleash-client-spec'

const VERSION = /^[v=\s]*(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?$/
const FIRST_WITH_SEGMENTS = [4, 2, 0]

/**
 * Returns true if an SDK that sends this `Unleash-Client-Spec` header supports segments, that is, for versions from
 * 4.2.0 on. SDKs without segment support, and requests without a valid header, receive inlined constraints, which every
 * SDK evaluates in the same way.
 */
export function supportsSegments(header: string | undefined): boolean {
  const parts = VERSION.exec(header?.trim() ?? '')
  if (parts === null) return false
  for (const [index, least] of FIRST_WITH_SEGMENTS.entries()) {
    const part = Number(parts[index + 1])
    if (part !== least) return part > least
  }
  return true
}

/** Returns true if the SDK that sends a request supports segments. */
export const hasSegmentSupport = (caller: Caller): boolean => supportsSegments(getClientSpec(caller))

function getClientSpec({ headers }: Caller): string | undefined {
  const header = headers[CLIENT_SPEC_HEADER]
  return Array.isArray(header) ? header[0] : header
}
