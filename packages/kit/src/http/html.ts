/** Content security policy for a page that has inline styles, loads nothing and sends nothing. */
const BARE = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/**
 * Returns the headers of an HTML reply. The headers prevent other pages from showing this page in a frame. `sources` is
 * the remainder of the content security policy.
 */
export function htmlHeaders(sources: string = BARE): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${sources}; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
  }
}
