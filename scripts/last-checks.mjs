/**
 * Runs the checks that follow the complete test run. SDKs of other languages run beside all others, because SDKs wait
 * for their next poll most of the time. The others run one after the other, because each uses the whole machine. Runs
 * every check even if one fails, and exits with 1 if any failed.
 */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCheck } from './run-check.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')

/** Same tests as `npm run test:sdks`, without the report, which belongs to the other test run. */
const SDKS = ['SDKs of other languages', process.execPath, [vitest, 'run', '--project', 'sdks']]
const CONFORMANCE = ['replies against the OpenAPI documents', process.execPath, ['scripts/api-conformance.mjs']]
/**
 * Tests of what Node itself provides: units, sockets, streams, TLS, outgoing requests, mail, databases, processes and
 * signals. Admin rules, browsers and source scans have the same result on every version.
 */
const ON_OLDEST_NODE = [
  ...['scripts/test.mjs', '--project', 'sqlite', '--project', 'processes'],
  ...['--exclude', 'packages/admin-ui/**', '--exclude', 'tests/http/sdk/streaming-walk.test.ts'],
  'packages/',
  'tests/http/access/login.test.ts',
  'tests/http/agents/official-clients.test.ts',
  'tests/http/integrations/delivery.test.ts',
  'tests/http/mail/mail.test.ts',
  'tests/http/operation/options.test.ts',
  'tests/http/operation/start.test.ts',
  'tests/http/sdk/',
  'tests/http/sso/',
  'tests/e2e/end-signals.test.ts',
  'tests/e2e/process.test.ts',
  'tests/e2e/shutdown.test.ts',
  'tests/e2e/workers.test.ts',
  'tests/edge/process/',
  'tests/edge/upstream/tls-files.test.ts',
  'tests/proxy/http/wire.test.ts',
  'tests/store/contract.test.ts',
  'tests/store/threads.test.ts',
]

const [sdks, others] = await Promise.all([runCheck(SDKS), runOthers()])
process.exitCode = sdks && others ? 0 : 1

async function runOthers() {
  const conforms = await runCheck(CONFORMANCE, 'inherit')
  const passesOnOldest = await runOnOldestNode()
  return conforms && passesOnOldest
}

/**
 * Runs tests again with the oldest supported Node. Returns false, after printing the reason, if the oldest supported
 * Node cannot be downloaded.
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
  return runCheck([`tests that depend on Node once more, on ${version}`, oldest, ON_OLDEST_NODE], 'inherit')
}
