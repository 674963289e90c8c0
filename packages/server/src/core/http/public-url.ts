import type { ServerOptions } from '../options/options.ts'

type UrlOptions = Pick<ServerOptions, 'serverUrl' | 'port' | 'baseUriPath'>

/** Returns the URL at which users reach the server, with the base path and without a trailing slash. */
export function publicUrl({ serverUrl, port, baseUriPath }: UrlOptions): string {
  const given = (serverUrl ?? `http://localhost:${port}`).replace(/\/+$/, '')
  return given.toLowerCase().endsWith(baseUriPath.toLowerCase()) ? given : `${given}${baseUriPath}`
}
