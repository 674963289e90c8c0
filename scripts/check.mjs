/**
 * Runs type checks, lint and format, and the check of generated documents. Compiles the packages first, because all
 * other checks read their types. Then runs the remaining checks concurrently, even if one fails. Exits with 1 if a
 * check failed.
 */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = (name) => join(root, 'node_modules', '.bin', name)

const FIRST = ['types of the packages', bin('tsc'), ['-b']]
const OTHERS = [
  ['types of the admin UI', bin('tsc'), ['-p', 'packages/admin-ui', '--noEmit']],
  ['types of the tests', bin('tsc'), ['-p', 'tests/tsconfig.json', '--noEmit']],
  ['lint and format', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['generated documents', process.execPath, ['scripts/generate-docs.mjs', '--check']],
]

const first = await check(FIRST)
const others = await Promise.all(OTHERS.map(check))
process.exitCode = [first, ...others].every(Boolean) ? 0 : 1

/** Runs a check and prints its output in one piece when it ends. Resolves to true if it passed. */
function check([name, file, args]) {
  return new Promise((resolve) => {
    const output = []
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
    child.on('error', (error) => output.push(Buffer.from(`${error.message}\n`)))
    child.on('close', (status) => {
      process.stdout.write(Buffer.concat(output))
      console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`)
      resolve(status === 0)
    })
  })
}
