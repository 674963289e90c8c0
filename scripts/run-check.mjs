import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const MS_PER_SECOND = 1000

/**
 * Runs a check, which has a name, a program and arguments. Prints the output all at once when the check ends, or
 * immediately with `inherit`, followed by the result and the duration. Resolves to true if the check passed.
 */
export function runCheck([name, file, args], output = 'pipe') {
  const startMs = performance.now()
  return new Promise((resolve) => {
    const chunks = []
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', output, output] })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => chunks.push(Buffer.from(`${error.message}\n`)))
    child.on('close', (status) => {
      process.stdout.write(Buffer.concat(chunks))
      const seconds = Math.round((performance.now() - startMs) / MS_PER_SECOND)
      console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}, ${seconds} s`)
      resolve(status === 0)
    })
  })
}
