import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'

/** Custom strategies and enrichers in files, passed to the command as operators do, without an installed SDK. */
const EXAMPLES = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'examples')
const by = (name: string, parameters: object = {}) => ({ name, enabled: true, strategies: [{ name, parameters }] })
const withProperty = (contextName: string, value: string) => ({
  name: `${contextName}: ${value}`,
  enabled: true,
  strategies: [{ name: 'default', constraints: [{ contextName, operator: 'IN', values: [value] }] }],
})
const DOCUMENT = {
  features: [
    by('emailDomain', { domains: 'example.com,example.org' }),
    by('hours', { from: '22', to: '6' }),
    by('Mine', { users: '7' }),
    by('default'),
    by('Broken'),
    withProperty('network', 'office'),
    withProperty('plan', 'gold'),
    withProperty('plan', 'free'),
  ],
}

const folder = temporaryFolder()
const startedIn = process.cwd()
let upstream: FakeUpstream
let burgee: BurgeeProcess | undefined

beforeAll(async () => {
  upstream = await startUpstream(DOCUMENT)
  // set the working folder, which child processes inherit and resolve relative paths against
  process.chdir(folder.path)
})
afterEach(async () => {
  burgee?.kill('SIGKILL')
  await burgee?.ended
  burgee = undefined
})
afterAll(async () => {
  process.chdir(startedIn)
  await upstream.close()
  folder.remove()
})

function file(name: string, text: string): string {
  const path = join(folder.path, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}
const run = (env: Record<string, string>): BurgeeProcess => {
  burgee = runBurgee(['proxy'], {
    FLAG_URL: upstream.url,
    FLAG_API_TOKEN: 'token',
    FLAG_PROXY_CLIENT_KEYS: 'some-key',
    PROXY_HOST: '127.0.0.1',
    PROXY_PORT: '0',
    ...env,
  })
  return burgee
}
/** Starts a proxy. Returns a function that requests the flags of a context. */
const start = async (env: Record<string, string>) => {
  const url = `http://127.0.0.1:${await run(env).find(/listening on port (\d+)/)}/proxy`
  await until(async () => (await fetch(`${url}/health`)).ok)
  return async (query = ''): Promise<string[]> => {
    const response = await fetch(`${url}${query}`, { headers: { authorization: 'some-key' } })
    const { toggles } = (await response.json()) as { toggles: { name: string }[] }
    return toggles.map(({ name }) => name)
  }
}
const CLASS = `class Mine extends Strategy {
  constructor() { super('Mine') }
  isEnabled(parameters, context) { return parameters.users.split(',').includes(context.userId) }
}`
const CJS = `const { Strategy } = require('unleash-client')\n${CLASS}\nmodule.exports = [new Mine()]`
const ESM = `import { Strategy } from 'unleash-client'\n${CLASS}\nexport default [new Mine()]`

describe('strategies', () => {
  test.each<{ name: string; path: () => string }>([
    { name: 'CommonJS', path: () => file('mine.cjs', CJS) },
    { name: 'CommonJS in a .js file', path: () => file('mine.js', CJS) },
    { name: 'ES module', path: () => file('mine.mjs', ESM) },
    { name: 'ES module in a .js file', path: () => file('mine-too.js', ESM) },
    { name: 'relative path', path: () => file('relative/mine.cjs', CJS) && './relative/mine.cjs' },
    { name: 'relative path of an ES module', path: () => file('relative/mine.mjs', ESM) && 'relative/mine.mjs' },
    {
      name: 'files that need files',
      path: () => file('parts/mine.cjs', CJS) && file('parts/all.mjs', "export { default } from './mine.cjs'"),
    },
  ])('$name', async ({ path }) => {
    const names = await start({ FLAG_CUSTOM_STRATEGIES_FILE: path() })
    expect([await names('?userId=7'), await names('?userId=8')]).toEqual([['Mine', 'default'], ['default']])
  })

  test('several files of several kinds, several in one; a name of a built-in one', async () => {
    const two = `module.exports = [{ name: 'default', isEnabled: () => false },
      { name: 'Broken', getResult: () => ({ enabled: true }) }]`
    const paths = [file('one.mjs', ESM), ` ${file('two.cjs', two)}`, join(EXAMPLES, 'custom-strategy/strategies.cjs')]
    const names = await start({ FLAG_CUSTOM_STRATEGIES_FILE: paths.join(',') })
    expect(await names('?userId=7&currentTime=2024-01-01T12:00:00Z')).toEqual(['Mine', 'Broken'])
  })

  test.each<[string, () => string]>([
    ['the file', () => file('copied.cjs', readFileSync(join(EXAMPLES, 'custom-strategy/strategies.cjs'), 'utf8'))],
    ['the ES module of its README', () => file('readme.mjs', codeOf('custom-strategy/README.md', 'strategies.mjs'))],
  ])('the example: %s', async (_name, path) => {
    const names = await start({ FLAG_CUSTOM_STRATEGIES_FILE: path() })
    const noon = '?currentTime=2024-01-01T12:00:00Z'
    const ofHours = path().endsWith('copied.cjs') ? ['hours'] : []
    expect(await names(`${noon}&email=ann@example.org`)).toEqual(['emailDomain', 'default'])
    expect(await names(`${noon}&email=ann@example.net`)).toEqual(['default'])
    expect(await names('?currentTime=2024-01-01T23:30:00Z')).toEqual([...ofHours, 'default'])
  })

  test('one that fails in any way is false and logged by name; the process and the others go on', async () => {
    const text = `module.exports = [
      { name: 'Mine', isEnabled: async () => { throw new Error('later') } },
      { name: 'hours', getResult: () => Promise.reject(new Error('later')) },
      { name: 'emailDomain', isEnabled: () => 'yes' },
      { name: 'Broken', isEnabled: () => { throw undefined } },
    ]`
    const names = await start({ FLAG_CUSTOM_STRATEGIES_FILE: file('failing.cjs', text) })
    for (let time = 0; time < 3; time += 1) expect(await names('?userId=7')).toEqual(['default'])
    for (const name of ['Mine', 'hours', 'emailDomain', 'Broken']) {
      expect(burgee?.output().split(`Custom strategy "${name}" failed`)).toHaveLength(2)
    }
  })
})

/** Returns the code block with this name from a document. */
function codeOf(path: string, name: string): string {
  const text = readFileSync(join(EXAMPLES, path), 'utf8')
  return text.split(`\`\`\`js ${name}\n`)[1]?.split('```')[0] ?? ''
}

describe('enrichers', () => {
  test('the example asks a service once, and knows the network', async () => {
    const asked: string[] = []
    const service = await startUpstream()
    service.answerWith(({ url }, response) => {
      asked.push(url)
      if (url === '/api/users/7') response.end('{"plan":"gold"}')
      else response.writeHead(404).end()
    })
    const names = await start({
      EXP_CUSTOM_ENRICHERS_FILE: join(EXAMPLES, 'custom-enricher/enrichers.cjs'),
      PLAN_SERVICE_URL: service.url,
    })
    expect(await names('?userId=7&remoteAddress=10.1.2.3')).toEqual(['default', 'network: office', 'plan: gold'])
    expect(await names('?userId=7&remoteAddress=fd12::1')).toEqual(['default', 'network: office', 'plan: gold'])
    expect(await names('?userId=8')).toEqual(['default', 'plan: free'])
    expect(await names()).toEqual(['default'])
    expect(asked).toEqual(['/api/users/7', '/api/users/8'])
    await service.close()
  })
})

describe('a file that does not fit ends the start with one line and exit code 1', () => {
  test.each<{
    name: string
    option: 'FLAG_CUSTOM_STRATEGIES_FILE' | 'EXP_CUSTOM_ENRICHERS_FILE'
    text?: string
    says: RegExp
  }>([
    { name: 'none.cjs', option: 'FLAG_CUSTOM_STRATEGIES_FILE', says: /Cannot load .*none\.cjs/ },
    { name: 'none.mjs', option: 'EXP_CUSTOM_ENRICHERS_FILE', says: /Cannot load .*none\.mjs/ },
    {
      name: 'syntax.cjs',
      option: 'FLAG_CUSTOM_STRATEGIES_FILE',
      text: '\n\nmodule.exports = [(]',
      says: /Cannot load .*syntax\.cjs: .*Unexpected token.*syntax\.cjs:3\)/,
    },
    {
      name: 'syntax.mjs',
      option: 'FLAG_CUSTOM_STRATEGIES_FILE',
      text: '\nexport default [)]',
      says: /Cannot load .*syntax\.mjs: .*Unexpected token/,
    },
    {
      name: 'needs.cjs',
      option: 'EXP_CUSTOM_ENRICHERS_FILE',
      text: 'require("./not-there.cjs")',
      says: /Cannot load .*needs\.cjs: .*not-there\.cjs/,
    },
    {
      name: 'needs.mjs',
      option: 'FLAG_CUSTOM_STRATEGIES_FILE',
      text: 'import "some-package-that-is-not-there"',
      says: /Cannot load .*needs\.mjs: .*some-package-that-is-not-there/,
    },
    {
      name: 'other-member.mjs',
      option: 'FLAG_CUSTOM_STRATEGIES_FILE',
      text: 'import { Unleash } from "unleash-client"; export default [Unleash]',
      says: /Cannot load .*other-member\.mjs: .*Unleash/,
    },
    {
      name: 'throws.cjs',
      option: 'FLAG_CUSTOM_STRATEGIES_FILE',
      text: 'throw null',
      says: /Cannot load .*throws\.cjs: null/,
    },
    { name: 'empty.mjs', option: 'FLAG_CUSTOM_STRATEGIES_FILE', text: '', says: /empty\.mjs must export an array/ },
    {
      name: 'object.cjs',
      option: 'EXP_CUSTOM_ENRICHERS_FILE',
      text: 'module.exports = { a: 1 }',
      says: /object\.cjs must export an array/,
    },
    {
      name: 'class.cjs',
      option: 'FLAG_CUSTOM_STRATEGIES_FILE',
      text: `${CJS.split('module.exports')[0]} module.exports = [new Mine(), Mine]`,
      says: /item 1 of .*class\.cjs .*is not a strategy/,
    },
    {
      name: 'nameless.cjs',
      option: 'FLAG_CUSTOM_STRATEGIES_FILE',
      text: 'module.exports = [{ isEnabled() {} }]',
      says: /item 0 of .*nameless\.cjs is not a strategy: it has no name/,
    },
    {
      name: 'no-test.mjs',
      option: 'FLAG_CUSTOM_STRATEGIES_FILE',
      text: 'export default [{ name: "x", isEnabled: true }]',
      says: /item 0 of .*no-test\.mjs \("x"\) is not a strategy: it has no isEnabled/,
    },
    {
      name: 'texts.mjs',
      option: 'EXP_CUSTOM_ENRICHERS_FILE',
      text: 'export default [(context) => context, "x"]',
      says: /item 1 of .*texts\.mjs is not a function/,
    },
  ])('$name: $says', async ({ name, option, text, says }) => {
    const path = text === undefined ? join(folder.path, name) : file(name, text)
    const { ended, errors, output } = run({ [option]: path })
    expect(await ended).toBe(1)
    expect(errors()).toMatch(says)
    expect(errors().trim().split('\n')).toHaveLength(1)
    expect(output()).toBe('')
  })
})
