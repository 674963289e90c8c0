import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Processor time until a fake server listens, in a process of its own. */
const STARTS = 20
const MAX_READY_MS = 50
const SCRIPT = `
const { startFakeServer } = await import('@burgee/testing')
const times = []
for (let at = 0; at < ${STARTS}; at += 1) {
  const begun = process.cpuUsage()
  const server = await startFakeServer({ flags: { checkout: true } })
  const { user, system } = process.cpuUsage(begun)
  times.push((user + system) / 1000)
  await server.close()
}
console.log(JSON.stringify(times))`

test('a fake server is ready within 50 ms', { timeout: 60_000 }, async () => {
  const folder = dirname(fileURLToPath(import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', SCRIPT], { cwd: folder })
  const [first = 0, ...others] = JSON.parse(stdout) as number[]
  const sorted = others.sort((one, other) => one - other)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  process.stdout.write(
    `a fake server is ready after ${first.toFixed(1)} ms for the first one of a process, and ${median.toFixed(1)} ms (median) for further ones\n`,
  )
  expect(median).toBeLessThanOrEqual(MAX_READY_MS)
})
