import type { IConfig } from 'unleash-proxy-client'

/** Observations that a page collects for its test. */
export interface Seen {
  /** Status and ETag of every response to the SDK, or `blocked` if the browser blocks the response. */
  readonly answers: { readonly status: number | 'blocked'; readonly etag: string | null }[]
  readonly impressions: unknown[]
  readonly errors: unknown[]
}

declare global {
  interface Window {
    seen: Seen
  }
}

/** Flag that every page displays. */
export const FLAG = 'shown'

/**
 * Reads the SDK's configuration from the URL of the page. If the next request is due while one is pending, the SDK
 * aborts the pending request and loses its response, although it may already have stored the response's ETag. With the
 * short intervals of tests, this would happen often, so the SDK gets no abort controller here.
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

/** Returns the text that pages display for a flag and its variant. */
export function shownText(enabled: boolean, variant: string | undefined): string {
  return enabled ? `on ${variant}` : 'off'
}
