import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import type { Unleash } from 'unleash-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { nodeSdk, webSdk } from '../support/sdks.ts'
import { until } from '../support/wait.ts'

/** `burgee dev` as a process, and the unmodified SDKs that read from it. */
const folder = temporaryFolder()
const flags = join(folder.path, 'flags')
const temporary = join(folder.path, 'tmp')
let burgee: BurgeeProcess
let url: string
let sdk: Unleash

const flag = (name: string, rollout: string, more = '') => `kind: Flag
name: ${name}
environments:
  development:
    enabled: true
    strategies:
      - name: flexibleRollout
        parameters:
          rollout: ${rollout}
${more}`

const save = (name: string, content: string) => writeFileSync(join(flags, name), content)

beforeAll(async () => {
  mkdirSync(flags)
  mkdirSync(temporary)
  save('checkout.yaml', flag('checkout', '"100"', 'tags: ["team:shop"]\n'))
  // the address and the database of another server must have no effect
  const other = { HTTP_PORT: '1', DATABASE_URL: 'postgres://nowhere/none', DATA_DIR: join(folder.path, 'other') }
  burgee = runBurgee(['dev', flags, '--port', '0', '--allow-host', 'app.test'], { ...other, TMPDIR: temporary })
  url = await burgee.find(/Admin UI\s+(\S+)/)
  sdk = nodeSdk({ url: `${url}/api`, customHeaders: { Authorization: '*:development.dev-client' } })
  await until(() => sdk.isEnabled('checkout'))
})
afterAll(async () => {
  sdk.destroy()
  burgee.kill('SIGTERM')
  expect(await burgee.ended).toBe(0)
  expect(existsSync(join(folder.path, 'other'))).toBe(false)
  folder.remove()
})

test('prints the URLs and tokens of SDKs', async () => {
  const output = burgee.output()
  expect(output).toContain(`Server-side SDKs    ${url}/api   token *:development.dev-client`)
  expect(output).toContain(`Browser, mobile     ${url}/api/frontend   token *:development.dev-frontend`)
  expect(output).toMatch(/Admin UI .* admin \/ \S+/)
  const reply = await fetch(`${url}/ofrep/v1/evaluate/flags/checkout`, {
    method: 'POST',
    headers: { authorization: 'Bearer *:development.dev-frontend', 'content-type': 'application/json' },
    body: JSON.stringify({ context: { targetingKey: 'ann' } }),
  })
  expect(await reply.json()).toMatchObject({ key: 'checkout', value: true })
})

describe('requests with well-known tokens', () => {
  const rows: [string, Record<string, string>, number][] = [
    ['a script', {}, 200],
    ['a page of this machine on another port', { origin: 'http://localhost:3000' }, 200],
    ['a page of a subdomain of localhost', { origin: 'http://shop.localhost:3000' }, 200],
    ['a page of a named host', { origin: 'https://app.test' }, 200],
    ['a page of another host', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['a name that resolves to this machine', { host: 'evil.example' }, 403],
    ['the address of this machine', { host: '127.0.0.1:1' }, 200],
    ['another name that begins alike', { host: 'localhost.evil.example' }, 403],
  ]
  const paths = ['/api/client/features', '/api/frontend', '/health']
  test.each(rows.flatMap(([name, headers, status]) => paths.map((path) => ({ name, path, headers, status }))))(
    '$name gets $status from $path',
    async ({ path, headers, status }) => {
      const authorization = `*:development.dev-${path === '/api/frontend' ? 'frontend' : 'client'}`
      expect(await sendRaw(`${url}${path}`, { ...headers, authorization })).toBe(status)
    },
  )
})

/** Sends a request with exactly these headers; `fetch` does not allow a Host header. Returns the status. */
async function sendRaw(address: string, headers: Record<string, string>): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  get(address, { headers }, (reply) => resolve(reply.resume().statusCode)).on('error', reject)
  return promise
}

test('a stock SDK sees a saved change, and a browser SDK as well', async () => {
  const web = webSdk({ url: `${url}/api/frontend`, clientKey: '*:development.dev-frontend' })
  await web.start()
  save('checkout.yaml', flag('checkout', '"0"'))
  await until(() => !sdk.isEnabled('checkout'))
  await until(() => !web.isEnabled('checkout'))
  web.stop()
  await burgee.find(/(Changes a strategy to \S+ \(0 %\)) in development, where it is on/)
  save('checkout.yaml', flag('checkout', '"100"'))
  await until(() => sdk.isEnabled('checkout'))
})

test('a mistake keeps the last good flags and names file, line and property', async () => {
  save('checkout.yaml', flag('checkout', '0'))
  const text = 'checkout.yaml:9: environments.development.strategies.0.parameters.rollout: must be string: write "0"'
  await until(() => burgee.errors().includes(text))
  expect(burgee.errors()).toContain('The previous flags stay in use.')
  expect(sdk.isEnabled('checkout')).toBe(true)
  save('checkout.yaml', flag('checkout', '"0"'))
  await until(() => !sdk.isEnabled('checkout'))
})

test('files can be added, renamed and removed, and a flag can return', async () => {
  mkdirSync(join(flags, 'inner'))
  save('inner/new.yaml', flag('new', '"100"'))
  await until(() => sdk.isEnabled('new'))
  renameSync(join(flags, 'inner', 'new.yaml'), join(flags, 'moved.yml'))
  rmSync(join(flags, 'moved.yml'))
  await until(() => !sdk.isEnabled('new'))
  save('moved.yml', flag('new', '"100"'))
  await until(() => sdk.isEnabled('new'))
})

test('objects that files only name are created', async () => {
  save(
    'other.yaml',
    'kind: Flag\nname: other\nenvironments:\n  staging:\n    enabled: true\n    strategies:\n      - name: ours\n',
  )
  await burgee.find(/other: (Turns it on in staging)/)
})

describe('at the start', () => {
  const files = join(folder.path, 'start')

  test('a mistake ends the command', async () => {
    mkdirSync(files)
    writeFileSync(join(files, 'a.yaml'), 'kind: Flag\nname: a\ntyp: release\n')
    const started = runBurgee(['dev', files, '--port', '0'], { TMPDIR: temporary })
    expect(await started.ended).toBe(1)
    expect(started.errors()).toBe(`${join(files, 'a.yaml')}:3: typ: is not a known property\n`)
  })

  test('several projects are in subfolders, and other machines need a random token', async () => {
    for (const project of ['shop', 'blog']) {
      mkdirSync(join(files, project), { recursive: true })
      writeFileSync(
        join(files, project, `${project}.yaml`),
        flag(project, '"100"').replace('development', 'production'),
      )
    }
    const args = ['--project', 'shop,blog', '--environment', 'production', '--port', '0', '--host', '0.0.0.0']
    const started = runBurgee(['dev', files, ...args], { TMPDIR: temporary })
    const token = await started.find(/api {3}token (\*:production\.[0-9a-f]{48})/)
    const at = await started.find(/Admin UI\s+(\S+)/)
    const reply = await fetch(`${at}/api/client/features`, { headers: { authorization: token } })
    const { features } = (await reply.json()) as { features: { name: string }[] }
    expect(features.map(({ name }) => name).sort()).toEqual(['blog', 'shop'])
    // while a flag moves to another project, both files contain it or neither does
    const moved = join(files, 'blog', 'shop.yaml')
    renameSync(join(files, 'shop', 'shop.yaml'), moved)
    await started.find(/Project blog: 3 changes\n {2}shop: (Creates)/)
    expect(readFileSync(moved, 'utf8')).toContain('name: shop')
    started.kill('SIGTERM')
    expect(await started.ended).toBe(0)
  })
})
