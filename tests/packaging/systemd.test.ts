import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findFreePort } from '../../packages/kit/src/free-port.ts'
import { whereIs } from '../setup/debian.ts'
import { COMMAND, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { startUpstream } from '../support/upstream.ts'
import { withoutEffect } from './deployed-variables.ts'

/** The systemd units: validated by systemd's own checker if available, and their command lines run. */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const UNITS = globSync('deploy/systemd/*.service', { cwd: ROOT }).map((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const all = (name: string) => [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
  return { path, all, command: (all('ExecStart')[0] ?? '').split(' ') }
})
const SECONDS_FOR_CLOSING = 10
const hasChecker = whereIs('systemd-analyze') !== undefined

describe.each(UNITS)('$path', ({ path, all, command }) => {
  const [node, file, name = ''] = command
  const variables = Object.fromEntries(all('Environment').map((one) => one.split('=') as [string, string]))

  test('gives only variables that its command reads', () => {
    expect(Object.keys(variables).length).toBeGreaterThan(0)
    expect(withoutEffect(name, Object.keys(variables))).toEqual([])
  })

  test('writes below its own state alone, and has the time that an end in order takes', () => {
    const [state = ''] = all('StateDirectory')
    for (const value of Object.values(variables)) expect(value.startsWith(`/var/lib/${state}`), value).toBe(true)
    expect(all('ProtectSystem')).toEqual(['strict'])
    expect(Number.parseInt(all('TimeoutStopSec')[0] ?? '', 10)).toBeGreaterThanOrEqual(SECONDS_FOR_CLOSING)
  })

  test.skipIf(!hasChecker)('passes systemd-analyze', () => {
    const said = execFileSync('systemd-analyze', ['verify', '--man=no', join(ROOT, path)], { encoding: 'utf8' })
    expect(said).toBe('')
  })

  test('starts its command, and SIGTERM ends it', async () => {
    expect([node, file]).toEqual(['/usr/bin/node', '/usr/lib/burgee/burgee.mjs'])
    const folder = temporaryFolder()
    const upstream = await startUpstream()
    const here = Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, `${folder.path}${value}`]))
    const port = String(await findFreePort())
    const given: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      server: { HTTP_PORT: port },
      proxy: { PORT: port, FLAG_URL: upstream.url, FLAG_API_TOKEN: 'token', FLAG_PROXY_CLIENT_KEYS: 'key-of-a-page' },
      edge: { PORT: port, UPSTREAM_URL: upstream.url.replace(/\/api$/, ''), DYNAMIC: 'true' },
    }
    const running = runBurgee(command.slice(2), { ...given[name], ...here }, COMMAND)
    expect(await running.find(/listening on port (\d+)/)).toBe(port)
    running.kill('SIGTERM')
    expect(await running.ended).toBe(0)
    await upstream.close()
    folder.remove()
  })
})
