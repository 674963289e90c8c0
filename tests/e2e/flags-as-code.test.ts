import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Impact } from '@burgee/protocol/administration/impact'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatPlans } from '../../bin/src/config/plan-text.ts'
import { startServer, type TestServer, TOKENS } from '../http/scenario.ts'
import { runBurgee, temporaryFolder } from '../support/burgee.ts'

/** `burgee export`, `burgee plan` and `burgee apply` against a running server. */
const folder = temporaryFolder()
let server: TestServer
let url: string

beforeAll(async () => {
  server = await startServer()
  url = (await server.server.listen()).url
  for (const id of ['shop', 'blog']) await server.admin('POST /api/admin/projects', { id, name: id })
  await server.admin('POST /api/admin/projects/shop/features', { name: 'old' })
  await server.admin('POST /api/admin/projects/blog/features', { name: 'post' })
})
afterAll(async () => {
  await server.close()
  folder.remove()
})

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const burgee = runBurgee(args, { BURGEE_URL: url, BURGEE_TOKEN: TOKENS.admin, ...env })
  return { code: await burgee.ended, output: burgee.output(), errors: burgee.errors() }
}

const FLAG = (rollout: string) => `kind: Flag
name: new
environments:
  development:
    enabled: true
    strategies:
      - name: flexibleRollout
        parameters:
          rollout: ${rollout}
`

describe('files of one project', () => {
  const flags = join(folder.path, 'flags')

  test('burgee exports, plans and applies them', async () => {
    expect((await run(['export', '--project', 'shop', '--out', flags])).output).toContain('1 files in ')
    expect(globSync('**/*', { cwd: flags })).toEqual(['old.yaml'])
    expect(await run(['plan', flags, '--project', 'shop'])).toMatchObject({
      code: 0,
      output: 'Project shop: no changes.\n',
    })
    writeFileSync(join(flags, 'new.yaml'), FLAG('"50"'))
    const plan = await run(['plan', flags, '--project', 'shop', '--format', 'json'])
    expect(plan.code).toBe(2)
    const { plan: hash, changes } = JSON.parse(plan.output)
    expect(changes.map(({ sentence }: { sentence: string }) => sentence)).toEqual([
      'Creates the flag, off in all environments.',
      'Adds the strategy flexibleRollout (50 %) in development, where it is off.',
      'Turns it on in development.',
    ])
    const source = { GITHUB_REPOSITORY: 'shop/flags', GITHUB_SHA: '3f2a1c0' }
    const applied = await run(['apply', flags, '--project', 'shop', '--plan', hash], source)
    expect(applied).toMatchObject({ code: 0, output: 'Project shop: 3 changes applied\n' })
    expect((await run(['plan', flags, '--project', 'shop', '--prune'])).code).toBe(0)
    const again = await run(['apply', flags, '--project', 'shop', '--plan', hash])
    expect(again.code).toBe(1)
    expect(again.errors).toContain('Run the plan again')
  })

  test('burgee reports a mistake with file, line and property', async () => {
    const wrong = join(folder.path, 'wrong')
    mkdirSync(join(wrong, 'inner'), { recursive: true })
    writeFileSync(join(wrong, 'inner', 'new.yaml'), FLAG('50'))
    const plan = await run(['plan', wrong, '--project', 'shop'])
    expect(plan.code).toBe(1)
    expect(plan.errors).toContain(
      'inner/new.yaml:9: environments.development.strategies.0.parameters.rollout: must be string: write "50"',
    )
  })

  test('an export names files that the project does not have', async () => {
    writeFileSync(join(flags, 'stray.yaml'), 'kind: Flag\nname: stray\n')
    expect((await run(['export', '--project', 'shop', '--out', flags])).output).toContain(
      'not in the project: stray.yaml',
    )
    rmSync(join(flags, 'stray.yaml'))
  })
})

test('files of several projects are in a folder per project', async () => {
  const flags = join(folder.path, 'several')
  await run(['export', '--project', 'shop,blog', '--out', flags])
  expect(globSync('**/*.yaml', { cwd: flags }).sort()).toEqual(['blog/post.yaml', 'shop/new.yaml', 'shop/old.yaml'])
  const edited = readFileSync(join(flags, 'blog', 'post.yaml'), 'utf8').replace('type: release', 'type: operational')
  writeFileSync(join(flags, 'blog', 'post.yaml'), edited)
  const plan = await run(['plan', flags, '--project', 'shop,blog'])
  expect(plan.code).toBe(2)
  expect(plan.output).toContain('Project shop: no changes.')
  const hashes = /--plan (\S+)/.exec(plan.output)?.[1] ?? ''
  const applied = await run(['apply', flags, '--project', 'shop,blog', '--plan', hashes])
  expect(applied.output).toBe('Project shop: 0 changes applied\nProject blog: 1 change applied\n')
  expect((await run(['apply', flags, '--project', 'shop,blog', '--plan', 'a'])).errors).toContain('2 hashes')
})

test.each([
  [['plan', 'nowhere'], 'Cannot read the folder nowhere (ENOENT)'],
  [['plan', '.', '--project', '..'], '".." is not a valid project id'],
  [['plan', folder.path, '--prune', '--environment', 'production'], '--prune and --environment exclude each other'],
  [['plan', folder.path, '--commit', '3f2a1c0'], 'Give --repository and --commit together'],
  [['apply', folder.path], 'Give --plan with the hash that "burgee plan" printed'],
  [['export', '--token', 'x'], 'pass one with --token'],
])('%j fails with a clear error', async (args, text) => {
  const { code, errors } = await run(args)
  expect(code).toBe(1)
  expect(errors).toContain(text)
})

test.each([
  [429, '7', 'the server gets too many requests (429). Nothing was changed. Try again in 7 seconds.'],
  [503, undefined, 'the server returned 503. Try again in a minute.'],
])('a refusal with %j and Retry-After %j says what to do', async (status, retryAfter, text) => {
  const busy = createServer((_request, response) => {
    response.writeHead(status, { ...(retryAfter && { 'retry-after': retryAfter }), 'content-type': 'text/html' })
    response.end('<h1>busy</h1>')
  })
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
  const { port } = busy.address() as AddressInfo
  const { code, errors } = await run(['export'], { BURGEE_URL: `http://127.0.0.1:${port}` })
  busy.close()
  expect({ code, errors }).toEqual({ code: 1, errors: `Project "default": ${text}\n` })
})

const IMPACT: Impact = {
  sampling: true,
  evaluations: 10_000,
  offToOn: 0,
  onToOff: 0,
  otherVariant: 0,
  from: null,
  to: null,
}

test('a comment for a pull request escapes what Markdown would interpret', () => {
  const change = { kind: 'Flag' as const, name: 'a|b', sentence: 'Mentions @team and <b>.' }
  const plan = {
    project: 'shop',
    plan: 'hash',
    revision: 1,
    changes: [change],
    destructive: [],
    needsChangeRequest: [],
    missingPermissions: [],
    kept: [],
    obstacles: [],
    warnings: [],
    released: [],
    impacts: [],
    isImpactIncomplete: false,
  }
  expect(formatPlans([plan], 'github', '')).toBe(`<!-- burgee plan -->
### Flags of project \`shop\`: 1 change

| Name | Kind | Environment | Change |
|---|---|---|---|
| \`a\\|b\` | Flag |  | Mentions &#64;team and &#60;b&#62;. |

Plan \`hash\``)
})

test('a plan shows the impact on recent traffic, as text and as a comment', () => {
  const measure = (flag: string, figures: Partial<Impact>) => ({
    flag,
    environment: 'production',
    impact: { ...IMPACT, ...figures },
  })
  const plan = {
    project: 'shop',
    plan: 'hash',
    revision: 1,
    changes: [{ kind: 'Flag' as const, name: 'cards', environment: 'production', sentence: 'Turns it on.' }],
    destructive: [],
    needsChangeRequest: [],
    missingPermissions: [],
    kept: [],
    obstacles: [],
    warnings: [],
    released: [{ kind: 'Flag', name: 'old', path: 'shop/old.yaml' }],
    impacts: [
      measure('cards', { offToOn: 900, onToOff: 340 }),
      measure('rare', { offToOn: null, otherVariant: 7 }),
      measure('same', {}),
      measure('new', { evaluations: 0 }),
    ],
    isImpactIncomplete: true,
  }
  const lines = [
    'cards in production: 1,240 of the last 10,000 evaluations would change: 900 from off to on, 340 from on to off.',
    'rare in production: Some of the last 10,000 evaluations would change: a few from off to on, 7 to another variant.',
    'same in production: None of the last 10,000 evaluations would change.',
    'new in production: No evaluations of this flag sampled yet.',
    'The impact on some flags is not shown.',
  ]
  expect(formatPlans([plan], 'text', 'burgee apply')).toBe(
    `Project shop: 1 change\n  cards: Turns it on.\nImpact on recent traffic:\n${lines.map((line) => `  ${line}\n`).join('')}No longer managed: Flag old (shop/old.yaml is gone)\n\nApply this plan with:\n  burgee apply`,
  )
  expect(formatPlans([plan], 'github', '')).toContain(`\nImpact on recent traffic: ${lines.join(', ')}\n`)
  expect(JSON.parse(formatPlans([plan], 'json', ''))).toEqual(plan)
})

test('a comment for a pull request is shorter than GitHub allows', () => {
  const escaped = '#'.repeat(1000)
  const changes = Array.from({ length: 5000 }, (_, at) => ({
    kind: 'Flag' as const,
    name: `flag-${at}`,
    environment: 'production',
    sentence: `Sets ${escaped}.`,
    enables: true,
  }))
  const plan = {
    plan: 'hash',
    revision: 1,
    changes,
    destructive: changes,
    needsChangeRequest: ['production'],
    missingPermissions: [],
    kept: changes.map(({ kind, name }) => ({ kind, name, reason: escaped })),
    obstacles: changes.map(({ kind, name }) => ({ kind, name, reason: escaped })),
    warnings: changes.map(({ kind, name }) => ({ kind, name, reason: escaped })),
    released: [],
    impacts: changes.map(({ name: flag, environment }) => ({ flag, environment, impact: IMPACT })),
    isImpactIncomplete: true,
  }
  const one = formatPlans([{ ...plan, project: 'shop' }], 'github', '')
  expect(one.length).toBeLessThan(65_536)
  expect(one).toMatch(/\nAnd 49\d\d changes more\.\n/)
  expect(one).toMatch(/\nTurns on: flag-0 in production, .* and 49\d\d more\n/)
  const short = { ...plan, changes: changes.slice(0, 50), destructive: [] }
  const many = Array.from({ length: 200 }, (_, at) => ({
    ...short,
    kept: [],
    obstacles: plan.obstacles.slice(0, 50),
    warnings: plan.warnings.slice(0, 50),
    project: `shop-${at}`,
  }))
  const comment = formatPlans(many, 'github', '')
  expect(comment.length).toBeLessThan(65_536)
  expect(comment).toMatch(/\nAnd 1\d\d projects more\.$/)
})
