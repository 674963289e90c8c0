import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { start } from '@burgee/proxy'
import type { ProxyConfig } from '@burgee/proxy/options'
import type { ProxyEnvironment } from '@burgee/proxy/proxy-setup'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/burgee.ts'
import { keptLog } from '../support/kept-log.ts'
import { KEY, startProxy, type TestProxy } from '../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'

/** Custom code of operators: strategies and context enrichers. */
const by = (name: string, parameters: object = {}) => ({ name, enabled: true, strategies: [{ name, parameters }] })
const DOCUMENT = {
  features: [
    by('default'),
    by('ForMail', { mails: 'a@x.org' }),
    by('Second'),
    by('Broken'),
    { name: 'region', enabled: true, strategies: [{ name: 'default', constraints: [inRegion()] }] },
  ],
}
function inRegion(): object {
  return { contextName: 'region', operator: 'IN', values: ['eu'] }
}

const folder = temporaryFolder()
const { logger, lines } = keptLog()
let upstream: FakeUpstream
let proxy: TestProxy | undefined

beforeAll(async () => {
  upstream = await startUpstream(DOCUMENT)
})
beforeEach(() => {
  lines.length = 0
})
afterEach(async () => {
  await proxy?.close()
  proxy = undefined
})
afterAll(async () => {
  await upstream.close()
  folder.remove()
})

function file(name: string, text: string): string {
  mkdirSync(folder.path, { recursive: true })
  const path = join(folder.path, name)
  writeFileSync(path, text)
  return path
}
const ask = async (config: ProxyConfig, query = ''): Promise<Response> => {
  proxy ??= await startProxy({ flagUrl: upstream.url, logger, ...config })
  return fetch(`${proxy.url}/proxy${query}`, { headers: { authorization: KEY } })
}
const names = async (config: ProxyConfig, query = ''): Promise<string[]> => {
  const { toggles } = (await (await ask(config, query)).json()) as { toggles: { name: string }[] }
  return toggles.map(({ name }) => name)
}
const MAIL = '?properties[email]=a@x.org'
const TEST = 'isEnabled(p, c) { return p.mails.split(",").includes(c.properties.email) }'

describe('custom strategies', () => {
  test.each([
    [
      'as documented.js',
      `const { Strategy } = require("unleash-client")
      class M extends Strategy { constructor() { super("ForMail") } ${TEST} }
      module.exports = [new M()]`,
    ],
    [
      'module.mjs',
      `import { Strategy } from "unleash-client"
      export default [new (class extends Strategy { ${TEST} })("ForMail")]`,
    ],
    ['plain.cjs', `module.exports = [{ name: "ForMail", ${TEST} }]`],
    [
      'result.cjs',
      'module.exports = [{ name: "ForMail", getResult: (p, c) => ({ enabled: p.mails === c.properties.email }) }]',
    ],
  ])('from %s', async (name, text) => {
    const config = { customStrategies: [file(name, text)] }
    expect(await names(config, MAIL)).toEqual(['default', 'ForMail'])
    expect(await names(config)).toEqual(['default'])
  })

  test('several of one file, and of several files', async () => {
    const both =
      'module.exports = [{ name: "ForMail", isEnabled: () => true }, { name: "Second", isEnabled: () => true }]'
    const broken = 'module.exports = [{ name: "Broken", isEnabled: () => true }]'
    const customStrategies = [file('both.cjs', both), file('broken.cjs', broken)]
    expect(await names({ customStrategies })).toEqual(['default', 'ForMail', 'Second', 'Broken'])
  })

  test('objects in code; an object with the name of a built-in strategy replaces it', async () => {
    const customStrategies = [
      { name: 'default', isEnabled: () => false },
      { name: 'Second', isEnabled: () => true },
    ]
    expect(await names({ customStrategies })).toEqual(['Second'])
  })

  test('a failing strategy counts as false and is logged once; the others still work', async () => {
    const customStrategies = [
      {
        name: 'Broken',
        isEnabled: () => {
          throw new Error('out of order')
        },
      },
      { name: 'Second', isEnabled: () => true },
    ]
    expect(await names({ customStrategies })).toEqual(['default', 'Second'])
    expect(await names({ customStrategies })).toEqual(['default', 'Second'])
    expect(lines.filter((line) => line.includes('Custom strategy "Broken" failed'))).toHaveLength(1)
  })

  test('a registration lists the strategies', async () => {
    const customStrategies = [{ name: 'Second', isEnabled: () => true }]
    await names({ customStrategies })
    const { body = '' } = upstream.seen.findLast(({ url }) => url.endsWith('/client/register')) ?? {}
    expect(JSON.parse(body).strategies).toContain('Second')
  })
})

describe('context enrichers', () => {
  test('run in order, each with the result of the previous one', async () => {
    const text = `module.exports = [
      (context) => ({ ...context, properties: { ...context.properties, step: "1" } }),
      async (context) => ({ ...context, properties: { region: context.properties.step === "1" ? "eu" : "?" } }),
    ]`
    expect(await names({ expCustomEnrichers: [file('enrichers.cjs', text)] })).toEqual(['default', 'region'])
  })

  test.each<[string, (context: object) => unknown]>([
    [
      'throws',
      () => {
        throw new Error('secret-detail')
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('secret-detail')
      },
    ],
    ['answers nothing', () => undefined],
    ['answers a text', () => 'x'],
  ])('an enricher that %s fails the request, not the process', async (_name, enricher) => {
    const response = await ask({ expCustomEnrichers: [enricher] })
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ error: 'A context enricher failed.' })
    expect(lines.some((line) => line.startsWith('Context enricher'))).toBe(true)
    expect((await fetch(`${proxy?.url}/proxy/health`)).status).toBe(200)
  })
})

describe('invalid files abort the start', () => {
  test.each<[keyof ProxyConfig & ('customStrategies' | 'expCustomEnrichers'), string, RegExp]>([
    ['customStrategies', 'module.exports = {}', /must export an array/],
    ['customStrategies', 'module.exports = [7]', /item 0 of .* is not a strategy: it has no name/],
    ['customStrategies', 'module.exports = [{ name: "x" }]', /item 0 .*"x".* it has no isEnabled/],
    ['customStrategies', 'throw new Error("no good")', /Cannot load .*no good/],
    ['expCustomEnrichers', 'module.exports = [{}]', /item 0 of .* is not a function/],
    ['expCustomEnrichers', 'module.exports = 1', /must export an array/],
  ])('%s: %s', async (option, text, says) => {
    const path = file(`wrong-${lines.length}-${text.length}.cjs`, text)
    const config = { flagUrl: upstream.url, flagApiToken: 't', clientKeys: [KEY], port: 0, logger, [option]: [path] }
    await expect(start(config, { env: {} })).rejects.toThrow(says)
  })

  test.each<[string, ProxyConfig, ProxyEnvironment, RegExp]>([
    ['in code', { customStrategies: ['/nowhere.js'] }, {}, /^option "customStrategies": Cannot load \/nowhere.js: /],
    [
      'of a variable',
      {},
      { env: { FLAG_CUSTOM_STRATEGIES_FILE: '/nowhere.js' } },
      /^FLAG_CUSTOM_STRATEGIES_FILE \(option "customStrategies"\): Cannot load \/nowhere.js: /,
    ],
    [
      'of the variable of the established proxy',
      {},
      { env: { UNLEASH_CUSTOM_STRATEGIES_FILE: '/nowhere.js' } },
      /^UNLEASH_CUSTOM_STRATEGIES_FILE .*Cannot load/,
    ],
    [
      'of enrichers',
      {},
      { env: { EXP_CUSTOM_ENRICHERS_FILE: '/nowhere.js' } },
      /^EXP_CUSTOM_ENRICHERS_FILE .*Cannot load/,
    ],
    ['of the command line', {}, { argv: ['--custom-strategies', '/nowhere.js'] }, /^--custom-strategies: Cannot load/],
  ])('a missing file, %s', async (_name, given, environment, says) => {
    const config = { flagUrl: upstream.url, flagApiToken: 't', clientKeys: [KEY], port: 0, logger, ...given }
    await expect(start(config, { env: {}, ...environment })).rejects.toThrow(says)
  })
})
