#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The `burgee` command. If this version of Node is too old, the command restarts itself with the Node in
 * `node_modules`, if there is one.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isNewEnough = major > 22 || (major === 22 && minor >= 13)

if (isNewEnough) {
  // the build may have bundled the modules into a few files
  const joined = new URL('./bundle/command.js', import.meta.url)
  const { runCommand } = await import(existsSync(joined) ? joined.href : './dist/command.js')
  process.exitCode = await runCommand(process.argv.slice(2))
} else {
  const self = fileURLToPath(import.meta.url)
  const packaged = join(dirname(dirname(self)), 'node_modules', '.bin', 'node')
  if (existsSync(packaged) && process.env.BURGEE_REEXECUTED === undefined) {
    const env = { ...process.env, BURGEE_REEXECUTED: '1' }
    const child = spawn(packaged, [self, ...process.argv.slice(2)], { stdio: 'inherit', env })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)))
  } else {
    console.error(`burgee needs Node 22.13 or newer; this is ${process.version}.`)
    process.exitCode = 1
  }
}
