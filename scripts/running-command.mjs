import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const START_LIMIT_MS = 60_000

/** Returns the port number that follows a match of the regular expression `before` in the output of a command. */
export function portIn(output, before) {
  const [, port] = new RegExp(`${before}(\\d+)`).exec(output) ?? []
  return port
}

/**
 * Runs `burgee` with `args` for as long as `work` runs. `work` starts as soon as the output contains the text `ready`,
 * and receives the output. `variables` is the complete environment except for PATH. Rejects if the command is not ready
 * within a minute.
 */
export async function whileRunning(args, variables, ready, work) {
  const child = spawn(process.execPath, [join(root, 'bin', 'burgee.mjs'), ...args], {
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  try {
    await work(await started(child, args[0], ready))
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

function started(child, name, ready) {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => reject(new Error(`burgee ${name} did not come up`)), START_LIMIT_MS)
    const finish = (settle, value) => {
      clearTimeout(timer)
      settle(value)
    }
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes(ready)) finish(resolve, output)
    })
    child.on('close', () => finish(reject, new Error(`burgee ${name} ended:\n${output}`)))
  })
}
