/** Type check, lint and format, generated documents. Every check runs; the first failure decides the exit code. */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = (name) => join(root, 'node_modules', '.bin', name)

const CHECKS = [
  ['types of the packages', bin('tsc'), ['-b']],
  ['types of the admin UI', bin('tsc'), ['-p', 'packages/admin', '--noEmit']],
  ['types of the tests', bin('tsc'), ['-p', 'tests/tsconfig.json', '--noEmit']],
  ['lint and format', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['generated documents', process.execPath, ['scripts/generate-docs.mjs', '--check']],
]

let failed = 0
for (const [name, file, args] of CHECKS) {
  const { status } = spawnSync(file, args, { cwd: root, stdio: 'inherit' })
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`)
  if (status !== 0) failed += 1
}
process.exitCode = failed === 0 ? 0 : 1
