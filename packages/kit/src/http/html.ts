/** Content security policy of a page that has inline styles, loads nothing and sends nothing. */
const BARE = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/**
 * Returns the headers of an HTML reply. The headers forbid other pages to show this page in a frame. `sources` is the
 * rest of the content security policy.
 */
export function htmlHeaders(sources: string = BARE): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${sources}; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
  }
}
