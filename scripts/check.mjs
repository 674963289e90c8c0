/**
 * Runs type checks, lint and format, and the check of generated documents. Compiles the packages first, because all
 * other checks read their type declarations. Then runs the remaining checks concurrently, even if one fails. Exits with
 * 1 if any check failed.
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCheck } from './run-check.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = (name) => join(root, 'node_modules', '.bin', name)

const FIRST = ['types of the packages', bin('tsc'), ['-b']]
const OTHERS = [
  ['types of the admin UI', bin('tsc'), ['-p', 'packages/admin-ui', '--noEmit']],
  ['types of the tests', bin('tsc'), ['-p', 'tests/tsconfig.json', '--noEmit']],
  ['lint and format', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['generated documents', process.execPath, ['scripts/generate-docs.mjs', '--check']],
]

const first = await runCheck(FIRST)
const others = await Promise.all(OTHERS.map((other) => runCheck(other)))
process.exitCode = [first, ...others].every(Boolean) ? 0 : 1
