import type { IConfig } from 'unleash-proxy-client'

/** What a page keeps for its test to look at. */
export interface Seen {
  /** Status and ETag of every answer that the SDK got; an answer that the browser withholds is `blocked`. */
  readonly answers: { readonly status: number | 'blocked'; readonly etag: string | null }[]
  readonly impressions: unknown[]
  readonly errors: unknown[]
}

declare global {
  interface Window {
    seen: Seen
  }
}

/** The flag that every page shows. */
export const FLAG = 'shown'

/**
 * The SDK's configuration, as the test wrote it into the address of the page. The SDK ends a request that is under way
 * when it is time for the next, and forgets an answer of which it has read the ETag only: with the intervals of tests
 * that would happen often, so requests may finish here.
 */
export function readConfig(): IConfig {
  const text = new URLSearchParams(location.search).get('config') ?? '{}'
  const { credentials, ...config } = JSON.parse(text) as IConfig & { readonly credentials?: RequestCredentials }
  window.seen = { answers: [], impressions: [], errors: [] }
  const recordingFetch = async (url: string, init: RequestInit): Promise<Response> => {
    try {
      const response = await fetch(url, { ...init, ...(credentials === undefined ? {} : { credentials }) })
      window.seen.answers.push({ status: response.status, etag: response.headers.get('etag') })
      return response
    } catch (error) {
      window.seen.answers.push({ status: 'blocked', etag: null })
      throw error
    }
  }
  return { ...config, fetch: recordingFetch, createAbortController: () => null }
}

/** How pages show a flag and its variant. */
export function shownText(enabled: boolean, variant: string | undefined): string {
  return enabled ? `on ${variant}` : 'off'
}
