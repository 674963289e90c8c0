import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createOfflineEnvironments } from '@burgee/edge/offline/offline-environments'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { keptLog } from '../../support/kept-log.ts'

const { logger, lines } = keptLog()
let folder: ReturnType<typeof temporaryFolder>
let path: string
let ends: (() => Promise<void>)[]

beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder.path, 'flags.json')
  ends = []
  lines.length = 0
})
afterEach(async () => {
  for (const end of ends) await end()
  folder.remove()
})

const write = (content: unknown) => writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
async function start(reloadIntervalMs = 0) {
  const deps = { path, profile: 'yggdrasil' as const, reloadIntervalMs, clock: Date.now, random: Math.random, logger }
  const environments = await createOfflineEnvironments(deps)
  ends.push(() => environments.close())
  const names = async (environment = 'development') =>
    (await environments.get(environment)).flags.map(({ feature }) => `${feature.name} ${feature.enabled}`)
  return { environments, names }
}

test('one file serves every requested environment', async () => {
  write({ a: { enabled: true }, b: { enabled: false } })
  const { environments, names } = await start()
  expect([await names('development'), await names('anything')]).toEqual([
    ['a true', 'b false'],
    ['a true', 'b false'],
  ])
  expect(environments.has('anything')).toBe(true)
  expect(
    environments.listStatuses().map(({ environment, origin, features }) => [environment, origin, features]),
  ).toEqual([
    ['development', 'bootstrap', 2],
    ['anything', 'bootstrap', 2],
  ])
})

test('a changed file is read, and every requested environment is notified', async () => {
  write({ a: { enabled: true } })
  const { environments, names } = await start(10)
  const told: string[] = []
  await Promise.all([names('dev'), names('prod')])
  const before = environments.completeUpTo('dev')
  environments.subscribe((environment) => void told.push(environment))
  write({ a: { enabled: false } })
  await expect.poll(() => names('dev')).toEqual(['a false'])
  await expect.poll(() => told).toEqual(['dev', 'prod'])
  expect([...((before && environments.findTouchedSince('dev', before))?.flags.keys() ?? [])]).toEqual(['a'])
  write({})
  await expect.poll(() => names('dev')).toEqual([])
})

test('a broken file is logged once, and leaves the flags as they were', async () => {
  write({ a: { enabled: true } })
  const { environments, names } = await start()
  const reload = async (content: unknown, failures: number) => {
    write(content)
    environments.refresh()
    await expect.poll(() => [environments.listStatuses()[0]?.failures, lines.length > 0]).toEqual([failures, true])
  }
  await names()
  await reload('{"a":', 1)
  await reload('[]', 2)
  expect([await names(), lines.length, lines[0]]).toEqual([['a true'], 1, expect.stringContaining('is not JSON')])
  write({ b: { enabled: true } })
  environments.refresh()
  await expect.poll(() => names()).toEqual(['b true'])
  expect(lines[1]).toContain('is readable again')
})

test.each([
  ['no file', undefined, 'ENOENT'],
  ['no JSON', '{', 'The file is not JSON'],
])('the start fails with %s, and names the option', async (_name, content, why) => {
  if (content !== undefined) write(content)
  const failure = await start().catch((error: unknown) => String(error))
  expect(failure).toContain('BOOTSTRAP_FILE')
  expect(failure).toContain(why)
})
