/**
 * Sends generated requests to a server, a proxy and an edge. Checks the status, media type, headers and body of each
 * reply against the OpenAPI document of its service. Fails if a reply is a 5xx, or if a request without credentials
 * succeeds. Uses Schemathesis, which is installed into `.cache` once. Skips the check with a message if Python 3 is
 * missing.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { portIn, whileRunning } from './running-command.mjs'

const VERSION = '4.32.5'
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const environment = join(root, '.cache', `schemathesis-${VERSION}`)
const schemathesis = join(environment, 'bin', 'schemathesis')
const RULES = readFileSync(join(root, 'scripts', 'api-conformance', 'schemathesis.toml'), 'utf8')
const SECONDS = Number(process.env.CONFORMANCE_SECONDS ?? 20)
const SEED = process.env.CONFORMANCE_SEED ?? '1'

const ADMINISTRATION = '^/(?!api/(frontend|proxy|client)|ofrep|edge)'
const FRONT_ENDS = '^/(api/frontend|api/proxy|ofrep)'

/** Operations that are not tested, because they would make all later requests fail. */
const LEFT_OUT = [
  ['/api/admin/maintenance', 'turns every change off'],
  ['/api/admin/state/import', 'replaces all data, tokens included'],
]

if (install()) process.exitCode = (await checkServices()) ? 0 : 1

function install() {
  if (existsSync(schemathesis)) return true
  if (spawnSync('python3', ['-m', 'venv', environment]).status !== 0) {
    console.log('The check of replies against the OpenAPI documents was left out: it needs Python 3 with venv.')
    return false
  }
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`]
  const { status } = spawnSync(join(environment, 'bin', 'python'), pip, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status === 0) return true
  rmSync(environment, { recursive: true, force: true })
  console.log(
    `The check of replies against the OpenAPI documents was left out: Schemathesis ${VERSION} cannot be fetched.`,
  )
  return false
}

/** Returns true if the replies of all three services conform. */
async function checkServices() {
  const data = mkdtempSync(join(tmpdir(), 'burgee-conformance-'))
  const secret = () => randomBytes(28).toString('hex')
  const tokens = {
    admin: `*:*.${secret()}`,
    client: `*:development.${secret()}`,
    frontend: `*:development.${secret()}`,
  }
  const limits = { TOKEN_GUESS_LIMIT_PER_MINUTE: '1000000', SIMPLE_LOGIN_LIMIT_PER_MINUTE: '1000000' }
  const served = {
    DATA_DIR: data,
    HTTP_PORT: '0',
    HTTP_HOST: '127.0.0.1',
    SHUTDOWN_DELAY: '0',
    LOG_LEVEL: 'error',
    INIT_ADMIN_API_TOKENS: tokens.admin,
    INIT_BACKEND_API_TOKENS: tokens.client,
    INIT_FRONTEND_API_TOKENS: tokens.frontend,
    ...limits,
  }
  const results = []
  try {
    await whileRunning(['server'], served, 'listening on port', async (output) => {
      const server = `http://127.0.0.1:${portIn(output, 'listening on port ')}`
      const upstream = { HTTP_HOST: '127.0.0.1', SHUTDOWN_DELAY: '0', LOG_LEVEL: 'error', ...limits }
      const proxied = {
        ...upstream,
        PROXY_PORT: '0',
        UNLEASH_URL: `${server}/api`,
        UNLEASH_API_TOKEN: tokens.client,
        UNLEASH_PROXY_CLIENT_KEYS: 'proxy-key',
        ENABLE_ALL_ENDPOINT: 'true',
        ENABLE_OAS: 'true',
      }
      await whileRunning(['proxy'], proxied, 'listening on port', (output) => {
        const url = `http://127.0.0.1:${portIn(output, 'listening on port ')}`
        results.push(check('proxy', url, [{ scheme: 'clientKey', token: 'proxy-key', paths: '^/' }], data))
      })
      const edged = { ...upstream, PORT: '0', UPSTREAM_URL: server, TOKENS: tokens.client, ENABLE_OAS: 'true' }
      await whileRunning(['edge'], edged, 'listening on port', (output) => {
        const url = `http://127.0.0.1:${portIn(output, 'listening on port ')}`
        const keys = [
          { scheme: 'token', token: tokens.frontend, paths: FRONT_ENDS },
          { scheme: 'token', token: tokens.client, paths: `^/(?!${FRONT_ENDS.slice(2)})` },
        ]
        results.push(check('edge', url, keys, data))
      })
      const keys = [
        { scheme: 'apiToken', token: tokens.frontend, paths: FRONT_ENDS },
        { scheme: 'apiToken', token: tokens.client, paths: '^/(api/client|edge)' },
        { scheme: 'apiToken', token: tokens.admin, paths: ADMINISTRATION, share: 3 },
      ]
      results.push(check('server', server, keys, data))
    })
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
  return results.length === 3 && results.every(Boolean)
}

/**
 * Runs Schemathesis against one service, once for each of its `keys`. Each key consists of a token, a regular
 * expression for the paths to test with this token, and the test time as a multiple of the common duration.
 */
function check(name, url, keys, folder) {
  const results = keys.map(({ scheme, token, paths, share = 1 }) => {
    const file = join(folder, `${name}.toml`)
    writeFileSync(file, `${RULES}\n[auth.openapi.${scheme}]\napi_key = ${JSON.stringify(token)}\n`)
    console.log(`Replies of the ${name} to ${paths} (seed ${SEED}) ...`)
    const run = ['run', `${url}/docs/openapi.json`, '--phases', 'coverage,fuzzing', '--no-shrink', '--workers', '1']
    const bounds = [
      '--seed',
      SEED,
      '--max-time',
      String(SECONDS * share),
      '--warnings',
      'off',
      '--include-path-regex',
      paths,
    ]
    const leftOut = LEFT_OUT.flatMap(([path]) => ['--exclude-path', path])
    const { status, stdout } = spawnSync(schemathesis, ['--config-file', file, ...run, ...bounds, ...leftOut], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: { PATH: process.env.PATH, NO_COLOR: '1' },
    })
    const [summary] = /[\d,]+ generated[^\n]*/.exec(stdout) ?? []
    console.log(status === 0 && summary !== undefined ? summary : stdout)
    // an error within Schemathesis itself is printed, but does not count as a deviation
    return summary !== undefined && !stdout.includes('\nFailures:')
  })
  return results.every(Boolean)
}
