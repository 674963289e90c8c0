import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runBurgee, temporaryFolder } from '../support/burgee.ts'
import { startUpstream } from '../support/upstream.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

const FEATURES = [
  {
    name: 'for-seven',
    enabled: true,
    strategies: [
      { name: 'default', constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }], segments: [1] },
    ],
    variants: [{ name: 'blue', weight: 1000, payload: { type: 'string', value: 'sea' } }],
  },
  { name: 'off', enabled: false, strategies: [] },
  {
    name: 'child',
    enabled: true,
    strategies: [],
    dependencies: [{ feature: 'off' }],
  },
  {
    name: 'half',
    enabled: true,
    strategies: [{ name: 'flexibleRollout', parameters: { rollout: '70', stickiness: 'userId', groupId: 'half' } }],
  },
]
const SEGMENTS = [{ id: 1, name: 'paying', constraints: [{ contextName: 'plan', operator: 'IN', values: ['paid'] }] }]
const file = join(folder.path, 'features.json')
writeFileSync(file, JSON.stringify({ version: 2, features: FEATURES, segments: SEGMENTS }))
const list = join(folder.path, 'list.json')
writeFileSync(list, JSON.stringify(FEATURES))
const broken = join(folder.path, 'broken.json')
writeFileSync(broken, '{"features":')
const answers = join(folder.path, 'answers.json')
writeFileSync(answers, '{"toggles":[]}')

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const burgee = runBurgee(['evaluate', ...args], env)
  return { code: await burgee.ended, output: burgee.output(), errors: burgee.errors() }
}

describe('a decision, and what it rests on', () => {
  test.each<{ args: string[]; code: number; says: RegExp }>([
    {
      args: [file, 'for-seven', '-c', 'userId=7,plan=paid'],
      code: 0,
      says: /^for-seven is ON, variant blue with string sea$[\s\S]*✓ userId IN 7[\s\S]*✓ segment paying/m,
    },
    {
      args: [file, 'for-seven', '--context', '{"userId":"7","properties":{"plan":"free"}}'],
      code: 2,
      says: /✗ plan IN paid/,
    },
    { args: [file, 'for-seven', '-c', 'userId=7', '-c', 'plan=paid'], code: 0, says: /is ON/ },
    { args: [file, 'off'], code: 2, says: /^off is OFF$[\s\S]*✗ switched off in this environment/m },
    { args: [file, 'child'], code: 2, says: /✗ parent off: parent is off/ },
    {
      args: [file, 'half', '-c', 'userId=7'],
      code: 0,
      says: /70 % by userId, group half: "7" is in bucket 66 of 100, within 70/,
    },
    { args: [file, 'half'], code: 2, says: /the context has no userId/ },
    { args: [list, 'half', '-c', 'userId=7'], code: 0, says: /half is ON/ },
    { args: [file, 'of'], code: 3, says: /There is no flag "of" among 4\. Did you mean "off"\?/ },
  ])('$args → code $code', async ({ args, code, says }) => {
    const result = await run(args)
    expect(result.output).toMatch(says)
    expect(result).toMatchObject({ code, errors: '' })
  })

  test('has the whole explanation as JSON', async () => {
    const { code, output } = await run([file, 'for-seven', '-c', 'userId=7', '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(output)).toMatchObject({ name: 'for-seven', isEnabled: false, strategies: [{ name: 'default' }] })
  })
})

describe('wrong usage', () => {
  test.each<{ args: string[]; says: RegExp }>([
    { args: [], says: /burgee evaluate FILE\|URL FLAG/ },
    { args: [file], says: /burgee evaluate FILE\|URL FLAG/ },
    { args: [join(folder.path, 'none.json'), 'x'], says: /Cannot read .*none\.json \(ENOENT\)/ },
    { args: [broken, 'x'], says: /broken\.json does not contain JSON/ },
    { args: [answers, 'x'], says: /evaluation results for a front end, not flag definitions/ },
    { args: [file, 'off', '-c', 'nonsense'], says: /--context must be name=value/ },
    { args: [file, 'off', '-c', 'currentTime=never'], says: /--context must be/ },
    { args: ['http://127.0.0.1:9/', 'x'], says: /Cannot reach http:\/\/127\.0\.0\.1:9\/api\/client\/features/ },
    { args: ['http://127.0.0.1:9/', 'x', '--json'], says: /^\{"error":"Cannot reach .*/ },
  ])('$args prints $says', async ({ args, says }) => {
    const { code, output, errors } = await run(args)
    expect(errors).toMatch(says)
    expect([code, output]).toEqual([1, ''])
  })
})

test('flags of a server, by its address with or without its API path; the token is not shown', async () => {
  const upstream = await startUpstream({ version: 2, features: FEATURES, segments: SEGMENTS })
  try {
    const token = 'a:b.secret-token'
    for (const address of [upstream.url, upstream.url.replace(/\/api$/, ''), `${upstream.url}/client/features`]) {
      const result = await run([address, 'for-seven', '-c', 'userId=7,plan=paid'], { BURGEE_TOKEN: token })
      expect(result).toMatchObject({ code: 0, errors: '' })
      expect(result.output).not.toContain('secret-token')
    }
    expect(upstream.seen.map(({ headers }) => headers.authorization)).toEqual([token, token, token])
  } finally {
    await upstream.close()
  }
})

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('%s knows commands and flags', async (shell) => {
    const burgee = runBurgee(['completion', shell])
    expect(await burgee.ended).toBe(0)
    for (const word of ['server', 'evaluate', 'data-dir', 'flag-url']) expect(burgee.output()).toContain(word)
  })

  test('another shell is refused with the nearest name', async () => {
    const burgee = runBurgee(['completion', 'bsh'])
    expect(await burgee.ended).toBe(1)
    expect(burgee.errors()).toMatch(/burgee completion bash\|zsh\|fish\. Did you mean bash\?/)
  })
})
