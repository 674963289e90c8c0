import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { BROWSER_LIMIT_MS, launchBrowser } from './browser.ts'

interface Closable {
  close(): Promise<void>
}

/**
 * Before all tests of a file a browser and what it is to look at (`start`) come up side by side and are handed to
 * `use`, which may prepare more; `more` adds to the browser's arguments. After the tests both end, the browser first; one of them also where the other failed.
 */
export function withBrowser<T extends Closable>(
  start: () => Promise<T>,
  use: (browser: Browser, started: T) => void | Promise<void>,
  more: readonly string[] = [],
): void {
  let parts: readonly Promise<Closable>[] = []
  beforeAll(async () => {
    const both = [launchBrowser(more), start()] as const
    parts = both
    await use(...(await Promise.all(both)))
  }, BROWSER_LIMIT_MS)
  afterAll(async () => {
    for (const part of await Promise.allSettled(parts)) if (part.status === 'fulfilled') await part.value.close()
  })
}
