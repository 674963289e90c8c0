/**
 * Runs the checks that follow the complete test run, one after the other, because each uses the whole machine. Runs
 * every check even if one fails, and exits with 1 if any failed.
 */
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCheck } from './run-check.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const CONFORMANCE = ['replies against the OpenAPI documents', process.execPath, ['scripts/api-conformance.mjs']]
/**
 * Tests that depend on the version of Node: units, sockets, streams, TLS, storage, start and shutdown. Tests of
 * browsers, sources and admin rules have the same result on every version.
 */
const ON_OLDEST_NODE = [
  ...['scripts/test.mjs', '--project', 'sqlite'],
  ...['--exclude', 'packages/admin-ui/**', '--exclude', 'tests/architecture.test.ts', '--exclude'],
  'tests/http/{change-requests,contract,features,import,playground,projects,promotion,roles,scim,targeting,transfer}/**',
]

const conforms = await runCheck(CONFORMANCE, 'inherit')
const passesOnOldest = await runOnOldestNode()
process.exitCode = conforms && passesOnOldest ? 0 : 1

/**
 * Runs the fast tests again with the oldest supported Node. Returns false, after printing the reason, if the oldest
 * supported Node cannot be downloaded.
 */
async function runOnOldestNode() {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/oldest-node.mjs'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) return false
  const oldest = stdout.trim()
  const version = spawnSync(oldest, ['--version'], { encoding: 'utf8' }).stdout.trim()
  return runCheck([`the fast tests once more, on Node ${version}`, oldest, ON_OLDEST_NODE], 'inherit')
}
