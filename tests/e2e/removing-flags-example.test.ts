import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Receiver, startReceiver } from '../http/integrations/receiver.ts'
import { startServer, type TestServer, TOKENS } from '../http/scenario.ts'
import { COMMAND, temporaryFolder } from '../support/burgee.ts'

/** The steps of the example for removing flags, as GitHub Actions runs them, against a running server. */
const EXAMPLE = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'examples', 'removing-flags')
const P = '/api/admin/projects/shop'

interface Step {
  readonly name?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}
interface Workflow {
  readonly on: Readonly<Record<string, { readonly types?: readonly string[] } | null>>
  readonly env: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>
}
/** Values of the expressions in a workflow, such as `vars.BURGEE_URL`. */
type Values = Readonly<Record<string, string>>

const workflow: Workflow = parse(readFileSync(join(EXAMPLE, 'github-workflow.yml'), 'utf8'))
const integration = JSON.parse(readFileSync(join(EXAMPLE, 'integration.json'), 'utf8'))

const folder = temporaryFolder()
const commands = join(folder.path, 'commands')
const checkout = join(folder.path, 'web')
let server: TestServer
let github: Receiver
let values: Values

beforeAll(async () => {
  github = await startReceiver()
  server = await startServer({
    secretKey: randomBytes(32).toString('base64'),
    integrationAllowPrivateAddresses: true,
  })
  const { url } = await server.server.listen()
  await server.admin('POST /api/admin/projects', { id: 'shop', name: 'shop' })
  const token = { tokenName: 'ci', type: 'client', environment: 'development', projects: ['shop'] }
  const { secret } = await server.admin('POST /api/admin/api-tokens', token)
  values = {
    'vars.BURGEE_URL': url,
    'vars.BURGEE_PROJECT': 'shop',
    'secrets.BURGEE_BACKEND_TOKEN': secret,
    'secrets.BURGEE_SCAN_TOKEN': TOKENS.admin,
    'github.event.repository.default_branch': 'main',
    'github.repository': 'example/web',
    'github.token': 'token-of-the-job',
  }
  mkdirSync(commands)
  addCommand('burgee', `exec "${process.execPath}" "${COMMAND}" "$@"`)
  addCommand('gh', 'printf "%s\\n" "$GH_REPO" "$@"; cat brief.md')
  mkdirSync(checkout)
  await runScript('git init -qb main && git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m one', {})
})
afterAll(async () => {
  await server.close()
  await github.close()
  folder.remove()
})

function addCommand(name: string, script: string): void {
  const path = join(commands, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
}

/** Runs a script as runners do: in a checkout, and only until the first failure. */
async function runScript(script: string, env: Values) {
  const shell = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: checkout,
    env: { PATH: `${commands}${delimiter}${process.env.PATH}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => shell.on('close', resolve))
  const [output, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  return { code: await ended, output, errors }
}

/** Runs a step of the workflow with its variables. Every expression must have a value. */
function runStep(job: string, name: string, more: Values = {}) {
  const step = workflow.jobs[job]?.steps.find((one) => one.name === name)
  if (step?.run === undefined) throw new Error(`The workflow has no step ${name} in ${job}`)
  expect(step.run).not.toContain('${{')
  const all = { ...values, ...more }
  const env = Object.entries({ ...workflow.env, ...step.env }).map(([key, expression]) => {
    const [, path = ''] = /^\$\{\{ (\S+) \}\}$/.exec(expression) ?? []
    expect(Object.keys(all)).toContain(path)
    return [key, all[path] ?? '']
  })
  return runScript(step.run, { ...Object.fromEntries(env), ...RUNNER })
}

/** Variables that each runner sets. */
const RUNNER = {
  GITHUB_REPOSITORY: 'example/web',
  GITHUB_SERVER_URL: 'https://github.example.com',
  GITHUB_REF_NAME: 'main',
  GITHUB_RUN_NUMBER: '7',
}

test('checks, scans, and creates an issue with the brief of a completed flag', async () => {
  await server.admin(`POST ${P}/features`, { name: 'checkout' })
  const call = (flag: string) => writeFileSync(join(checkout, 'a.ts'), `\nif (client.isEnabled('${flag}')) pay()\n`)
  call('chekout')
  const failed = await runStep('check', 'Check')
  expect(failed).toMatchObject({ code: 2, output: expect.stringContaining('::error file=a.ts,line=2,col=') })
  call('checkout')
  expect(await runStep('check', 'Check')).toMatchObject({ code: 0, errors: '' })

  expect(await runStep('scan', 'Scan')).toMatchObject({
    code: 0,
    output: 'web main: 1 references to 1 flags in 1 files, uploaded\n',
  })
  const { references } = await server.admin(`GET ${P}/features/checkout/removal`)
  expect(references).toMatchObject([
    {
      repository: 'web',
      path: 'a.ts',
      url: expect.stringMatching(/^https:\/\/github.example.com\/example\/web\/blob\//),
    },
  ])

  const { parameters, ...rest } = integration
  expect(parameters.url).toBe('https://api.github.com/repos/OWNER/REPOSITORY/dispatches')
  await server.admin('POST /api/admin/addons', {
    ...rest,
    parameters: { ...parameters, url: `${github.url}/dispatches` },
  })
  await server.admin(`POST ${P}/features/checkout/lifecycle/complete`, { status: 'kept' })
  await expect.poll(() => github.received.length).toBe(1)
  const [{ path, headers, body } = { path: '', headers: {}, body: '{}' }] = github.received
  expect([path, headers.authorization, headers.accept]).toEqual([
    '/dispatches',
    'Bearer GITHUB_TOKEN',
    'application/vnd.github+json',
  ])
  const { event_type: type, client_payload: payload } = JSON.parse(body)
  expect(workflow.on.repository_dispatch?.types).toEqual([type])
  const created = await runStep('brief', 'Create issue', {
    'github.event.client_payload.flag': payload.flag,
    'github.event.client_payload.brief': payload.brief,
  })
  expect(created).toMatchObject({ code: 0, errors: '' })
  expect(created.output).toContain(
    'example/web\nissue\ncreate\n--title\nRemove the flag checkout\n--body-file\nbrief.md\n',
  )
  expect(created.output).toContain('# Remove the flag `checkout`\n')
  expect(created.output).toContain('- `a.ts:2` in `web` at ')
})
