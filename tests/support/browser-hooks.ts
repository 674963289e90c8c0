import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { BROWSER_LIMIT_MS, launchBrowser } from './browser.ts'

interface Closable {
  close(): Promise<void>
}

/**
 * Reduces the work per page: pages that live for seconds do not need optimized machine code, and invisible pages need
 * neither a GPU process nor small tiles. Do not use for performance measurements.
 */
const THRIFT = [
  '--js-flags=--no-maglev,--no-turbofan',
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  '--default-tile-width=1280',
  '--default-tile-height=800',
]

/**
 * Before all tests of a file, starts a browser and its target (`start`) in parallel and passes both to `use`. `more`
 * contains additional browser arguments. After the tests, closes the browser and then the target. If one of the two
 * failed to start, closes the other.
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
