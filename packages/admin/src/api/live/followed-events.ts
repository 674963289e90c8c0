import { BASE_PATH } from '../http.ts'
import { mayHaveMissed, readEvents } from './event-reader.ts'
import type { Tell, Told } from './told.ts'

/** What pages of one browser say to each other; who reads welcomes who comes, and says how long ago there was news. */
type Said = Told | { readonly kind: 'hello' } | { readonly kind: 'welcome'; readonly sinceNewsMs: number }

/**
 * Hears what happens at the server. Of all pages of a browser that show this server one reads, and tells the others:
 * browsers have six connections to a server at most. The result ends it.
 */
export function followEvents(hear: Tell): () => void {
  const channel = new BroadcastChannel(`burgee-events${BASE_PATH}`)
  let state: Told = { kind: 'state', isLive: false }
  let isReading = false
  let isWelcome = false
  let newsAt = Number.NEGATIVE_INFINITY
  const tellAll: Tell = (told) => {
    if (told.kind === 'state') state = told
    else newsAt = performance.now()
    hear(told)
    channel.postMessage(told satisfies Said)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Said>) => {
    if (data.kind === 'hello') {
      if (!isReading) return
      channel.postMessage(state satisfies Said)
      channel.postMessage({ kind: 'welcome', sinceNewsMs: performance.now() - newsAt } satisfies Said)
    } else if (data.kind !== 'welcome') {
      hear(data)
    } else if (!isWelcome) {
      isWelcome = true
      // what came between the first reads of this page and now was told to the others alone
      if (mayHaveMissed(data.sinceNewsMs)) hear({ kind: 'gap' })
    }
  })
  channel.postMessage({ kind: 'hello' } satisfies Said)
  const read = () => {
    isReading = true
    const stop = readEvents(tellAll)
    return () => {
      isReading = false
      stop()
    }
  }
  // browsers have locks for pages that came over TLS or from the same machine
  const leave = navigator.locks === undefined ? whileVisible(read) : asTheOne(`burgee-events${BASE_PATH}`, read)
  return () => {
    leave()
    channel.close()
  }
}

/** Does something as soon as no other page does it, until this page is left. */
function asTheOne(name: string, begin: () => () => void): () => void {
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
  // who leaves while they wait is told so by an error
  void navigator.locks.request(name, { signal }, untilLeft).catch(() => {})
  return () => leaving.abort()
}

/** Does something while somebody looks at this page. */
function whileVisible(begin: () => () => void): () => void {
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
