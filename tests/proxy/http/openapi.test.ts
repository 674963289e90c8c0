import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { type ApiDocument, replyChecker } from '../../support/openapi.ts'
import { startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'

const folder = temporaryFolder()
let upstream: FakeUpstream
let proxy: TestProxy
let plain: TestProxy

beforeAll(async () => {
  upstream = await startUpstream()
  proxy = await startProxy({
    flagUrl: upstream.url,
    enableOAS: true,
    proxyBasePath: '/base',
    clientKeysHeaderName: 'x-key',
  })
  plain = await startProxy({ flagUrl: upstream.url })
})
afterAll(async () => {
  await proxy.close()
  await plain.close()
  await upstream.close()
  folder.remove()
})

const document = async () =>
  (await fetch(`${proxy.url}/base/docs/openapi.json`)).json() as Promise<ApiDocument & Record<string, unknown>>

describe('the description', () => {
  test('has no linter errors', async () => {
    mkdirSync(folder.path, { recursive: true })
    const file = join(folder.path, 'openapi.json')
    writeFileSync(file, JSON.stringify(await document()))
    const redocly = join(import.meta.dirname, '..', '..', '..', 'node_modules', '@redocly', 'cli', 'bin', 'cli.js')
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const lint = promisify(execFile)(process.execPath, [redocly, 'lint', '--format=json', file], { env })
    const { totals } = JSON.parse((await lint).stdout) as { totals: { errors: number } }
    expect(totals.errors).toBe(0)
  })

  test('names every endpoint once, below the base path, and the header of the key', async () => {
    const { paths, servers, components } = (await document()) as unknown as {
      paths: object
      servers: unknown
      components: { securitySchemes: unknown }
    }
    expect(servers).toEqual([{ url: '/base' }])
    expect(Object.keys(paths)).toEqual([
      '/ofrep/v1/evaluate/flags',
      '/ofrep/v1/evaluate/flags/{key}',
      '/ofrep/v1/stream',
      '/proxy',
      '/proxy/all',
      '/proxy/all/client/metrics',
      '/proxy/client/features',
      '/proxy/client/metrics',
      '/proxy/client/register',
      '/proxy/health',
      '/proxy/health/live',
      '/proxy/health/ready',
      '/proxy/internal-backstage/prometheus',
    ])
    expect(components.securitySchemes).toEqual({ clientKey: { type: 'apiKey', in: 'header', name: 'x-key' } })
  })

  test('finds replies that do not fit', async () => {
    const check = replyChecker(await document())
    const reply = { method: 'GET', path: '/base/proxy', status: 200, contentType: 'application/json; charset=utf-8' }
    expect(check({ ...reply, body: '{"toggles":[]}' })).toEqual([])
    expect(check({ ...reply, body: '{"toggles":[{"name":1}]}' })).not.toEqual([])
    expect(check({ ...reply, status: 418, body: '' })).not.toEqual([])
    expect(check({ ...reply, contentType: 'text/plain', body: 'x' })).not.toEqual([])
  })
})

describe('the page', () => {
  test.each([
    ['/docs/openapi', 200, 'text/html; charset=utf-8'],
    ['/docs/openapi/page.js', 200, 'text/javascript; charset=utf-8'],
    ['/docs/openapi/page.css', 200, 'text/css; charset=utf-8'],
    ['/docs/openapi/', 301, null],
  ])('%s → %i %s', async (path, status, type) => {
    const response = await fetch(`${proxy.url}/base${path}`, { redirect: 'manual' })
    expect([response.status, response.headers.get('content-type')]).toEqual([status, type])
    expect((await fetch(`${plain.url}${path}`, { redirect: 'manual' })).status).toBe(404)
  })

  test('allows no inline script and nothing from elsewhere', async () => {
    const response = await fetch(`${proxy.url}/base/docs/openapi`)
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(response.headers.get('referrer-policy')).toBe('same-origin')
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(await response.text()).not.toMatch(/<script(?![^>]*src=)|https?:|\son\w+=/)
  })
})
