import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const SCRIPT = fileURLToPath(new URL('./heap-growth.ts', import.meta.url))
/**
 * Maximum growth factor. Without the limit, V8 lets the old generation grow to about five times the size of the live
 * objects.
 */
const MAX_GROWTH = 3.5

test('memory of names that callers invented is freed before it exceeds the live objects several times', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, 'limited'])
  const { growths } = JSON.parse(stdout) as { growths: number[] }
  // the limit applies from the first collection on
  const limited = growths.slice(1).toSorted((a, b) => a - b)
  expect(limited.length).toBeGreaterThan(1)
  expect(limited[Math.floor(limited.length / 2)]).toBeLessThan(MAX_GROWTH)
})
