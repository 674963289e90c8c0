import { spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startServer, type TestServer, TOKENS } from '../http/scenario.ts'
import { COMMAND, temporaryFolder } from '../support/burgee.ts'

/** The commands of the examples for CI, as the CI systems run them, against a running server. */
const EXAMPLE = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'examples', 'flags-as-code')
const COMMIT = '3f2a1c0d9e8b7a6f5e4d3c2b1a09f8e7d6c5b4a3'

interface Step {
  readonly name?: string
  readonly run?: string
}
interface GithubWorkflow {
  readonly on: { readonly schedule: readonly { readonly cron: string }[] }
  readonly env: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>
}
type GitlabPipeline = Readonly<
  Record<string, { readonly script?: readonly string[]; readonly before_script?: readonly string[] }>
>

const github: GithubWorkflow = parse(readFileSync(join(EXAMPLE, 'github-workflow.yml'), 'utf8'))
const gitlab: GitlabPipeline = parse(readFileSync(join(EXAMPLE, 'gitlab-ci.yml'), 'utf8'))

const folder = temporaryFolder()
const commands = join(folder.path, 'commands')
let server: TestServer
let url: string

beforeAll(async () => {
  server = await startServer()
  url = (await server.server.listen()).url
  for (const id of ['shop', 'blog']) await server.admin('POST /api/admin/projects', { id, name: id })
  mkdirSync(commands)
  addCommand('burgee', `exec "${process.execPath}" "${COMMAND}" "$@"`)
  addCommand('node', `exec "${process.execPath}" "$@"`)
  addCommand('gh', 'printf "%s\\n" "$@"; cat "$5"')
})
afterAll(async () => {
  await server.close()
  folder.remove()
})

function addCommand(name: string, script: string): void {
  const path = join(commands, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
}

/** Runs a script as CI runners do: in a checkout, and only until the first failure. */
async function runScript(script: string, checkout: string, env: Readonly<Record<string, string>>) {
  const shell = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: checkout,
    env: { PATH: `${commands}${delimiter}${process.env.PATH}`, BURGEE_URL: url, BURGEE_TOKEN: TOKENS.admin, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => shell.on('close', resolve))
  const [output, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  return { code: await ended, output, errors }
}

function createCheckout(name: string): string {
  const checkout = join(folder.path, name)
  cpSync(join(EXAMPLE, 'flags'), join(checkout, 'flags'), { recursive: true })
  return checkout
}

async function readSources(project: string): Promise<unknown[]> {
  const { events } = await server.admin(`GET /api/admin/events?project=${project}`)
  const applied = (events as { type: string; data: unknown }[]).filter(({ type }) => type === 'config-applied')
  return applied.map(({ data }) => data)
}

const getGithubStep = (job: string, name: string): string => {
  const run = github.jobs[job]?.steps.find((step) => step.name === name)?.run
  if (run === undefined) throw new Error(`The workflow has no step ${name} in ${job}`)
  return run
}

test('the GitHub workflow comments, applies and reports drift', async () => {
  const checkout = createCheckout('github')
  const env = { BURGEE_PROJECT: 'shop', GITHUB_REPOSITORY: 'shop/flags', GITHUB_SHA: COMMIT, PULL_REQUEST: '7' }
  expect(Object.keys(github.env).sort()).toEqual(['BURGEE_PROJECT', 'BURGEE_TOKEN', 'BURGEE_URL'])
  expect(github.on.schedule[0]?.cron).toMatch(/^(\S+ ){4}\S+$/)

  expect(await runScript(getGithubStep('plan', 'Plan'), checkout, env)).toMatchObject({ code: 0, errors: '' })
  const comment = await runScript(getGithubStep('plan', 'Comment'), checkout, env)
  expect(comment.output).toContain('pr\ncomment\n7\n--body-file\nplan.md\n--edit-last\n')
  expect(comment.output).toContain('| `gift-cards` | Flag | development | Turns it on in development. |')

  expect(await runScript(getGithubStep('drift', 'Drift'), checkout, env)).toMatchObject({ code: 2 })
  const applied = await runScript(getGithubStep('apply', 'Apply'), checkout, env)
  expect(applied).toMatchObject({ code: 0, output: 'Project shop: 3 changes applied\n' })
  expect(await readSources('shop')).toEqual([
    expect.objectContaining({ repository: 'shop/flags', commit: COMMIT, count: 3 }),
  ])
  // without changes, nothing is applied and there is no drift
  expect(await runScript(getGithubStep('apply', 'Apply'), checkout, env)).toMatchObject({ code: 0, output: '' })
  expect(await runScript(getGithubStep('drift', 'Drift'), checkout, env)).toMatchObject({ code: 0 })

  writeFileSync(join(checkout, 'flags', 'wrong.yaml'), 'kind: Flag\nname: wrong\ntyp: x\n')
  for (const [job, step] of [
    ['plan', 'Plan'],
    ['apply', 'Apply'],
  ] as const) {
    const failed = await runScript(getGithubStep(job, step), checkout, env)
    expect(failed).toMatchObject({ code: 1, errors: 'flags/wrong.yaml:3: typ: is not a known property\n' })
  }
})

test('the GitLab pipeline comments, applies and reports drift', async () => {
  const notes: { url?: string | undefined; token?: unknown; body: string }[] = []
  const api = createServer(async (request, response) => {
    notes.push({ url: request.url, token: request.headers['private-token'], body: await text(request) })
    response.end('{}')
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  const checkout = createCheckout('gitlab')
  const env = {
    BURGEE_PROJECT: 'blog',
    CI_PROJECT_PATH: 'blog/flags',
    CI_COMMIT_SHA: COMMIT,
    CI_API_V4_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}/api/v4`,
    CI_PROJECT_ID: '12',
    CI_MERGE_REQUEST_IID: '5',
    GITLAB_TOKEN: 'secret',
  }
  // the name of a flag is taken in all projects, not only in its own
  writeFileSync(join(checkout, 'flags', 'gift-cards.yaml'), 'kind: Flag\nname: post\n')
  const getScript = (job: string) => (gitlab[job]?.script ?? []).join('\n')
  expect(gitlab['.burgee']?.before_script).toEqual(['npm install --global burgee'])

  expect(await runScript(getScript('plan'), checkout, env)).toMatchObject({ code: 0, errors: '' })
  expect(notes).toEqual([
    {
      url: '/api/v4/projects/12/merge_requests/5/notes',
      token: 'secret',
      body: expect.stringContaining('| `post` | Flag |  | Creates the flag, off in all environments. |'),
    },
  ])
  expect(await runScript(getScript('drift'), checkout, env)).toMatchObject({ code: 2 })
  expect(await runScript(getScript('apply'), checkout, env)).toMatchObject({
    code: 0,
    output: 'Project blog: 1 change applied\n',
  })
  expect(await readSources('blog')).toEqual([expect.objectContaining({ repository: 'blog/flags', commit: COMMIT })])
  expect(await runScript(getScript('drift'), checkout, env)).toMatchObject({ code: 0 })
  api.close()
})
