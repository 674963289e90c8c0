import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { BROWSER_LIMIT_MS, launchBrowser } from './browser.ts'

interface Closable {
  close(): Promise<void>
}

/**
 * Less work for the same pages: scripts of pages that live for seconds are not worth the best machine code, and what
 * nobody looks at needs no process and no small tiles to be drawn in. Not for what measures how quick a page is.
 */
const THRIFT = [
  '--js-flags=--no-maglev,--no-turbofan',
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  '--default-tile-width=1280',
  '--default-tile-height=800',
]

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
    const both = [launchBrowser([...THRIFT, ...more]), start()] as const
    parts = both
    await use(...(await Promise.all(both)))
  }, BROWSER_LIMIT_MS)
  afterAll(async () => {
    for (const part of await Promise.allSettled(parts)) if (part.status === 'fulfilled') await part.value.close()
  })
}
