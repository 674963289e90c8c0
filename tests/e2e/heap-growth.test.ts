import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runBurgee, temporaryFolder } from '../support/burgee.ts'

const PRELOADED = fileURLToPath(new URL('./heap-growth.ts', import.meta.url))
/**
 * Maximum growth factor. Without the limit, V8 lets the old generation grow to about five times the size of the live
 * objects.
 */
const MAX_GROWTH = 3.5
const STARTED = /listening on port|Burgee is running/
const GROWTHS = /heap growths: (.*)/
const SERVER = { HTTP_HOST: '127.0.0.1', HTTP_PORT: '0', PROXY_HOST: '127.0.0.1', PROXY_PORT: '0' }
const PROXY = {
  ...SERVER,
  UNLEASH_URL: 'http://127.0.0.1:9/api',
  UNLEASH_API_TOKEN: 'default:development.unused',
  UNLEASH_PROXY_CLIENT_KEYS: 'web',
}
const EDGE = {
  INTERFACE: '127.0.0.1',
  PORT: '0',
  TOKENS: 'default:development.unused',
  UPSTREAM_URL: 'http://127.0.0.1:9',
}

test.each<[command: string, options: Readonly<Record<string, string>>]>([
  ['server', SERVER],
  ['start', SERVER],
  ['proxy', PROXY],
  ['edge', EDGE],
])('%s frees names that callers invented before they exceed the live objects several times', async (name, options) => {
  const folder = temporaryFolder()
  const running = runBurgee([name], { ...options, DATA_DIR: folder.path, NODE_OPTIONS: `--import=${PRELOADED}` })
  try {
    await running.find(STARTED)
    running.kill('SIGUSR2')
    const growths = JSON.parse(await running.find(GROWTHS)) as number[]
    // the limit applies from the first collection on
    const limited = growths.slice(1).toSorted((a, b) => a - b)
    expect(limited.length).toBeGreaterThan(1)
    expect(limited[Math.floor(limited.length / 2)]).toBeLessThan(MAX_GROWTH)
  } finally {
    running.kill('SIGKILL')
    await running.ended
    folder.remove()
  }
})
