import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee } from '../support/burgee.ts'

/** Variables that Kubernetes sets in a pod next to Services named `redis`, `database`, `email`, `proxy` and `http`. */
const LINKS = Object.fromEntries(
  ['REDIS', 'DATABASE', 'EMAIL', 'PROXY', 'HTTP'].map((name) => [`${name}_PORT`, 'tcp://10.0.0.11:6379']),
)
const LOOPBACK = { HTTP_HOST: '127.0.0.1', PROXY_HOST: '127.0.0.1', INTERFACE: '127.0.0.1', PORT: '0' }
const UPSTREAM = { FLAG_URL: 'http://127.0.0.1:1/api', FLAG_API_TOKEN: 't', FLAG_PROXY_CLIENT_KEYS: 'k' }
const WARNING = /Ignoring ([A-Z_, ]+): Kubernetes sets/g

let running: BurgeeProcess | undefined
const folder = mkdtempSync(join(tmpdir(), 'service-links-'))

afterEach(async () => {
  running?.kill('SIGTERM')
  await running?.ended
  rmSync(folder, { recursive: true, force: true })
})

test.each<[string, string[], Record<string, string>, named: string]>([
  ['server', ['server', '--data-dir', folder], {}, 'HTTP_PORT, DATABASE_PORT, EMAIL_PORT'],
  ['proxy', ['proxy'], UPSTREAM, 'PROXY_PORT'],
  ['proxy with workers', ['proxy', '--workers', '2'], UPSTREAM, 'PROXY_PORT'],
  ['edge', ['edge'], { UPSTREAM_URL: 'http://127.0.0.1:1', TOKENS: '*:production.secret' }, 'PROXY_PORT, REDIS_PORT'],
])('%s starts beside Kubernetes services of such names, and logs once what it ignores', async (_, args, env, named) => {
  running = runBurgee(args, { ...LOOPBACK, ...LINKS, ...env })
  await running.find(/listening on port (\d+)/)
  const warnings = [...running.output().matchAll(WARNING)].map(([, names = '']) => names.split(', ').sort().join(', '))
  expect(warnings).toEqual([named.split(', ').sort().join(', ')])
})
