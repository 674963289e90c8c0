import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../../support/burgee.ts'
import { callAs } from '../../support/call-as.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'
import { until } from '../../support/wait.ts'

const folder = temporaryFolder()
const ADMIN = '*:*.verify-admin-secret'
const CLIENT = 'default:development.verify-client-secret'
const FRONTEND = 'default:development.verify-frontend-secret'
const UNKNOWN = 'default:development.nobody-knows-this'
const AGE = { contextName: 'age', operator: 'NUM_GTE', value: '18' }

let server: BurgeeProcess
let edge: BurgeeProcess
let other: FakeUpstream
let url: string
let edgeUrl: string

beforeAll(async () => {
  server = runBurgee(['server', '--port', '0'], {
    DATA_DIR: folder.path,
    INIT_ADMIN_API_TOKENS: ADMIN,
    INIT_CLIENT_API_TOKENS: CLIENT,
    INIT_FRONTEND_API_TOKENS: FRONTEND,
  })
  url = `http://127.0.0.1:${await server.find(/port "?:?"?(\d+)/)}`
  await makeFlags()
  edge = runBurgee(['edge', '--port', '0'], { UPSTREAM_URL: url, TOKENS: CLIENT })
  edgeUrl = `http://127.0.0.1:${await edge.find(/port "?:?"?(\d+)/)}`
  other = await startUpstream()
  await until(async () => (await run(['--against', url, '--url', edgeUrl, '-t', CLIENT])).code === 0)
})
afterAll(async () => {
  for (const one of [edge, server]) one.kill('SIGTERM')
  await Promise.all([edge.ended, server.ended, other.close()])
  folder.remove()
})

async function makeFlags() {
  const project = `${url}/api/admin/projects/default/features`
  const segment = await callAs<{ id: number }>(ADMIN, 'POST', `${url}/api/admin/segments`, {
    name: 'eu',
    constraints: [{ contextName: 'country', operator: 'IN', values: ['DE', 'FR'] }],
  })
  const variants = [
    { name: 'red', weight: 500, weightType: 'variable', stickiness: 'default' },
    {
      name: 'blue',
      weight: 500,
      weightType: 'variable',
      stickiness: 'default',
      payload: { type: 'string', value: 'b' },
    },
  ]
  const strategies = {
    shop: { name: 'flexibleRollout', parameters: { rollout: '40', groupId: 'shop', stickiness: 'default' }, variants },
    adults: { name: 'default', constraints: [AGE], segments: [segment.id] },
    lottery: { name: 'flexibleRollout', parameters: { rollout: '50', groupId: 'l', stickiness: 'random' } },
  }
  for (const [name, strategy] of Object.entries(strategies)) {
    await callAs(ADMIN, 'POST', project, { name })
    await callAs(ADMIN, 'POST', `${project}/${name}/environments/development/strategies`, strategy)
    await callAs(ADMIN, 'POST', `${project}/${name}/environments/development/on`)
  }
}

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const burgee = runBurgee(['verify', ...args], env)
  return { code: await burgee.ended, output: burgee.output(), errors: burgee.errors() }
}

/** Returns the server's own download with one text replaced. */
async function changed(from: string, to: string): Promise<unknown> {
  const headers = { authorization: CLIENT, 'unleash-client-spec': '5.2.0' }
  const text = await (await fetch(`${url}/api/client/features`, { headers })).text()
  expect(text).toContain(from)
  return JSON.parse(text.replace(from, to))
}

describe('two servers', () => {
  test('compare equal with tokens of SDKs and of pages: a server, and an edge in front of it', async () => {
    const tokens = join(folder.path, 'tokens.txt')
    writeFileSync(tokens, `# development\n${UNKNOWN}\n${CLIENT}\n\n${FRONTEND}\n`)
    const { code, output, errors } = await run(['--against', url, '--url', edgeUrl, '--tokens-file', tokens])
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toMatch(/^3 flags × 1000 contexts × 1 environment: equal$/m)
    expect(output).toMatch(/^development, token 1 \(default:development\.…\): both refuse it, nothing was compared$/m)
    expect(output).toMatch(/frontend results: 50 contexts: equal/)
    expect(output).not.toContain('secret')
  })

  test('one bound of one flag: which flag, where, for which context, and each result with its reason', async () => {
    other.serve(await changed('"value":"18"', '"value":"19"'))
    const { code, output } = await run(['--against', other.url, '--url', url, '--token', CLIENT])
    expect(code).toBe(1)
    expect(output).toMatch(/^adults differs in development for the context \{.*"age":"18"/m)
    expect(output).toMatch(/adults is OFF[\s\S]*✗ age NUM_GTE 19[\s\S]*adults is ON[\s\S]*✓ age NUM_GTE 18/)
    expect(output).toMatch(/^Defined: strategy 1, constraints 1, operand: \S+ has 19, \S+ has 18$/m)
    expect(output).not.toContain('secret')
  })

  test('the differences are available as JSON', async () => {
    other.serve(await changed('"rollout":"40"', '"rollout":"41"'))
    const { code, output } = await run(['--against', other.url, '--url', url, '-t', CLIENT, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(output)).toMatchObject({
      equal: false,
      parts: [
        {
          environment: 'development',
          different: 1,
          differences: [{ flag: 'shop', a: { enabled: true }, b: { enabled: false } }],
        },
      ],
    })
  })

  test('frontend results that differ are found without any document', async () => {
    const answer = { name: 'shop', enabled: true, variant: { name: 'green', enabled: true }, impressionData: false }
    other.answerWith(({ url: path }, response) => {
      if (!path.startsWith('/api/frontend')) return void response.writeHead(403).end('{}')
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ toggles: [answer] }))
    })
    const { code, output } = await run(['--against', other.url, '--url', url, '-t', FRONTEND])
    other.answerWith(undefined)
    expect(code).toBe(1)
    expect(output).toMatch(/shop differs in development for the context/)
    expect(output).toMatch(/returns on with variant green, \S+ returns (off|on with variant (red|blue))/)
  })

  test('a flag that varies on one side alone is a difference; on both sides it is named', async () => {
    let asked = 0
    const on = { name: 'lottery', enabled: true, variant: { name: 'disabled', enabled: false }, impressionData: false }
    const off = { ...on, name: 'shop', variant: { name: 'red', enabled: true } }
    other.answerWith(({ url: path }, response) => {
      if (!path.startsWith('/api/frontend')) return void response.writeHead(403).end('{}')
      asked += 1
      const toggles = asked % 2 === 0 ? [on] : [off]
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ toggles }))
    })
    const { code, output } = await run(['--against', other.url, '--url', url, '-t', FRONTEND, '--contexts', '10'])
    other.answerWith(undefined)
    expect(code).toBe(1)
    expect(output).toMatch(/shop differs in development/)
    expect(output).toMatch(/decided at random, not compared: lottery/)
  })

  test('a token that only one of them takes', async () => {
    const { code, output } = await run(['--against', other.url, '--url', url, '-t', UNKNOWN])
    expect(code).toBe(1)
    expect(output).toMatch(/The token differs in development: \S+ accepts it as a client token, \S+ rejects it/)
    expect(output).not.toContain('nobody-knows')
  })

  test.each<[what: string, args: () => string[], says: RegExp]>([
    ['nothing', () => [], /Name the other server with --against URL, or two files/],
    ['no tokens', () => ['--against', url], /Give tokens that both servers accept/],
    [
      'no such file',
      () => ['--against', url, '--tokens-file', '/nowhere'],
      /--tokens-file: cannot read \/nowhere \(ENOENT\)/,
    ],
    ['one file', () => ['--file', 'a'], /Name two files/],
    ['files and a token', () => ['--file', 'a', '--file', 'b', '-t', 'x'], /--token compares servers/],
    ['files and a server', () => ['--file', 'a', '--file', 'b', '--against', url], /--against compares servers/],
    [
      'an unknown token',
      () => ['--against', url, '--url', url, '-t', UNKNOWN],
      /Both servers reject token 1 \(default:development\.…\)/,
    ],
    [
      'nothing listening',
      () => ['--against', 'http://127.0.0.1:9', '-t', CLIENT],
      /Cannot reach http:\/\/127\.0\.0\.1:9\/api\/client\/features/,
    ],
    ['a bad number', () => ['--against', url, '-t', CLIENT, '--contexts', '-1'], /--contexts must be an integer/],
  ])('%s', async (_, args, says) => {
    const { code, output, errors } = await run(args())
    expect(code).toBe(1)
    expect(output).toBe('')
    expect(errors).toMatch(says)
    expect(errors).not.toContain('secret')
  })
})

describe('two files', () => {
  test('compare nothing if they have no flags', async () => {
    const none = join(folder.path, 'none.json')
    writeFileSync(none, JSON.stringify({ version: 2, features: [] }))
    const { code, output } = await run(['--file', none, '--file', none])
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/Nothing was compared/) })
  })

  test('flags with lists of IPv6 addresses are named, for not every engine matches them', async () => {
    const listing = (name: string, IPs: string) => ({
      name,
      enabled: true,
      strategies: [{ name: 'remoteAddress', parameters: { IPs } }],
    })
    const features = [
      listing('range', '2001:db8::/32'),
      listing('address', '10.0.0.1, ::1'),
      listing('v4', '10.0.0.0/8'),
    ]
    const file = join(folder.path, 'ipv6.json')
    writeFileSync(file, JSON.stringify({ version: 2, features }))
    const { code, output } = await run(['--file', file, '--file', file])
    expect(code).toBe(0)
    expect(output).toMatch(/^Strategy "remoteAddress" lists IPv6 addresses.*Node SDK.*: range, address$/m)
    const json = await run(['--file', file, '--file', file, '--json'])
    expect(JSON.parse(json.output)).toMatchObject({ equal: true, parts: [{ ipv6Lists: ['range', 'address'] }] })
  })

  test('equal, and one flag apart', async () => {
    const [a, b] = [join(folder.path, 'a.json'), join(folder.path, 'b.json')]
    writeFileSync(a, JSON.stringify(await changed('"rollout":"50"', '"rollout":"50"')))
    writeFileSync(b, JSON.stringify(await changed('"rollout":"50"', '"rollout":"60"')))
    expect(await run(['--file', a, '--file', a])).toMatchObject({ code: 0 })
    const { code, output } = await run(['--file', a, '--file', b, '--contexts', '10'])
    expect(code).toBe(1)
    expect(output).toMatch(/^lottery (differs|is written differently) in files/m)
  })
})
