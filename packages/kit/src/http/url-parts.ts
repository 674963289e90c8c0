/**
 * Returns the path of a URL as sent, without its query. Log lines contain only the path, because queries can contain
 * user data.
 */
export function getPath(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

/** Returns the query of a URL as sent, without '?'; '' if there is no query. */
export function getQuery(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}
