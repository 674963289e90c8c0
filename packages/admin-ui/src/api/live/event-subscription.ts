import { BASE_PATH } from '../http.ts'
import { mayHaveMissed, readEvents } from './event-reader.ts'
import type { LiveMessage, LiveMessageListener } from './live-message.ts'

/**
 * Message between pages that are open in the same browser. Only one of the pages reads the server's events. The page
 * that reads events greets new pages by reporting the time since the last event.
 */
type PageMessage = LiveMessage | { readonly kind: 'hello' } | { readonly kind: 'welcome'; readonly sinceNewsMs: number }

/**
 * Subscribes to server events. Only one page per browser and server reads events and forwards them to the other pages,
 * because browsers allow six connections per server. Returns a function that unsubscribes.
 */
export function subscribeToEvents(hear: LiveMessageListener): () => void {
  const channel = new BroadcastChannel(`burgee-events${BASE_PATH}`)
  let state: LiveMessage = { kind: 'state', isLive: false }
  let isReading = false
  let isWelcome = false
  let newsAt = Number.NEGATIVE_INFINITY
  const tellAll: LiveMessageListener = (message) => {
    if (message.kind === 'state') state = message
    else if (message.kind !== 'delivery') newsAt = performance.now()
    hear(message)
    channel.postMessage(message satisfies PageMessage)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<PageMessage>) => {
    if (data.kind === 'hello') {
      if (!isReading) return
      channel.postMessage(state satisfies PageMessage)
      channel.postMessage({ kind: 'welcome', sinceNewsMs: performance.now() - newsAt } satisfies PageMessage)
    } else if (data.kind !== 'welcome') {
      hear(data)
    } else if (!isWelcome) {
      isWelcome = true
      // Report a gap: events that occurred between this page's first requests and now were sent only to the other
      // pages.
      if (mayHaveMissed(data.sinceNewsMs)) hear({ kind: 'gap' })
    }
  })
  channel.postMessage({ kind: 'hello' } satisfies PageMessage)
  const read = () => {
    isReading = true
    const stop = readEvents(tellAll)
    return () => {
      isReading = false
      stop()
    }
  }
  // Browsers offer locks only to pages loaded over TLS or from localhost.
  const leave =
    navigator.locks === undefined ? runWhileVisible(read) : runExclusively(`burgee-events${BASE_PATH}`, read)
  return () => {
    leave()
    channel.close()
  }
}

/**
 * Runs `begin` as soon as no other page in this browser is running it. Once started, it runs until this page is closed.
 */
function runExclusively(name: string, begin: () => () => void): () => void {
  const leaving = new AbortController()
  const { signal } = leaving
  const untilLeft = () =>
    new Promise<void>((resolve) => {
      const end = begin()
      signal.addEventListener('abort', () => {
        end()
        resolve()
      })
    })
  // If a pending lock request is aborted, it rejects.
  void navigator.locks.request(name, { signal }, untilLeft).catch(() => {})
  return () => leaving.abort()
}

/** Runs `begin` while this page is visible. */
function runWhileVisible(begin: () => () => void): () => void {
  let end: (() => void) | undefined
  const look = () => {
    if (document.visibilityState === 'visible') end ??= begin()
    else {
      end?.()
      end = undefined
    }
  }
  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    end?.()
  }
}
