import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Event } from '@burgee/protocol/event'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { type EmptyPlace, readyPlace } from '../../support/place.ts'
import { until } from '../../support/wait.ts'
import { type Receiver, startReceiver } from '../integrations/receiver.ts'
import { createCertificate } from '../mail/certificates.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { type SyslogReceiver, startSyslog } from './syslog-receiver.ts'

/** Export of all events to another system, over sockets. */
const F = '/api/admin/projects/default/features'
const SECRET = 'Bearer receiver-secret'
const ending: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of ending.splice(0).reverse()) await one.close()
})

async function start(given: object, place?: EmptyPlace): Promise<TestServer> {
  const more = { deliveries: { exportEveryMs: 10 }, ...(place === undefined ? {} : { place }) }
  const server = await startServer({ shutdownDelay: 0, ...given }, Date.now, more)
  ending.push(server)
  await server.server.listen()
  // `startServer` adds these users, so a further server on the same database could not start
  if (place !== undefined) await server.db.rows("delete from users where username in ('editor', 'viewer')")
  return server
}

async function receiver(): Promise<Receiver> {
  const one = await startReceiver()
  ending.push(one)
  return one
}

async function syslog(tls?: Parameters<typeof startSyslog>[0]): Promise<SyslogReceiver> {
  const one = await startSyslog(tls)
  ending.push(one)
  return one
}

const readLines = (body: string): Event[] =>
  body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
const listNames = ({ received }: Receiver): (string | null | undefined)[] =>
  received.flatMap(({ body }) => readLines(body).map(({ featureName }) => featureName))

async function create(server: TestServer, ...names: string[]): Promise<void> {
  for (const name of names) await server.admin(`POST ${F}`, { name })
}

describe('the export over HTTP', () => {
  test('sends new events in order as JSON Lines, as the log returns them, with its header', async () => {
    const to = await receiver()
    const server = await start({ auditExportUrl: `${to.url}/events?stream=1`, auditExportAuthorization: SECRET })
    await until(
      async () => (await server.db.rows("select 1 from settings where name = 'eventsExportedUpTo'")).length > 0,
    )
    await create(server, 'a', 'b')
    await until(async () => listNames(to).length >= 2)
    expect(listNames(to)).toEqual(['a', 'b'])
    const [first] = to.received
    expect(first).toMatchObject({
      path: '/events?stream=1',
      headers: { authorization: SECRET, 'content-type': 'application/x-ndjson; charset=utf-8' },
    })
    const exported = await server.call({ as: 'admin', call: 'GET /api/admin/event-export?feature=IS:a' })
    expect(readLines(first?.body ?? '').slice(0, 1)).toEqual(readLines(exported.body))
    expect(server.logged.join('\n')).not.toContain('receiver-secret')
  })

  test('sends all stored events first where the options say so', async () => {
    const place = await readyPlace()
    const before = await start({}, place)
    await create(before, 'old')
    await before.server.close()
    const to = await receiver()
    await start({ auditExportUrl: to.url, auditExportStart: 'all', defaultAdminPassword: undefined }, place)
    await until(async () => listNames(to).includes('old'))
    expect(readLines(to.received[0]?.body ?? '')[0]?.id).toBe(1)
  })

  test('sends a batch again until the receiver has taken it, and goes on after a restart', async () => {
    const place = await readyPlace()
    const to = await receiver()
    let refusals = 3
    to.answer = (response) => {
      response.statusCode = refusals > 0 ? 403 : 204
      refusals -= 1
      response.end()
    }
    const given = { auditExportUrl: to.url, auditExportStart: 'all', auditExportAuthorization: SECRET }
    const first = await start(given, place)
    await create(first, 'a')
    await until(async () => listNames(to).includes('a') && refusals < 0)
    const { received } = to
    expect(received[1]?.body.startsWith(received[0]?.body ?? '?')).toBe(true)
    expect(first.logged.filter((line) => line.includes('Cannot export events to 127.0.0.1'))).toHaveLength(1)
    expect(first.logged.join('\n')).toContain('The receiver responded with status 403')
    expect(first.logged.join('\n')).not.toContain('receiver-secret')
    await first.server.close()
    const taken = received.slice(3).flatMap(({ body }) => readLines(body).map(({ id }) => id))
    const second = await start({ ...given, defaultAdminPassword: undefined }, place)
    await create(second, 'b')
    await until(async () => listNames(to).includes('b'))
    const all = received.slice(3).flatMap(({ body }) => readLines(body).map(({ id }) => id))
    expect(all.slice(0, taken.length)).toEqual(taken)
    expect(all).toEqual([...new Set(all)].sort((one, other) => one - other))
  })

  test('deletes no event that the receiver has not taken, however old it is', async () => {
    const to = await receiver()
    to.answer = (response) => {
      response.statusCode = 500
      response.end()
    }
    const server = await start({ auditExportUrl: to.url, auditExportStart: 'all', eventRetentionDays: 1 })
    await create(server, ...Array.from({ length: 120 }, (_, index) => `flag-${index}`))
    await server.db.rows('update events set created_at = 0')
    const count = async () => Number((await server.db.row('select count(*) as count from events'))?.count)
    const before = await count()
    await server.server.removeOld()
    expect(await count()).toBe(before)
    to.answer = (response) => void response.end()
    await until(async () => listNames(to).includes('flag-119'))
    await until(async () => {
      const row = await server.db.row("select value from settings where name = 'eventsExportedUpTo'")
      return Number(row?.value) === (await server.lastEventId())
    })
    await server.server.removeOld()
    expect(await count()).toBeLessThan(before)
  })

  test.runIf(inject('driver') === 'postgres')('sends each event from one node at a time', async () => {
    const place = await readyPlace()
    const to = await receiver()
    const given = { auditExportUrl: to.url, auditExportStart: 'all' }
    const one = await start(given, place)
    const other = await start({ ...given, defaultAdminPassword: undefined }, place)
    await create(one, 'a', 'b')
    await create(other, 'c', 'd')
    await until(async () => listNames(to).includes('d'))
    expect(to.mostAtOnce()).toBe(1)
    expect(listNames(to).filter((name) => name !== null && name !== undefined)).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('the export over syslog', () => {
  test('sends messages of RFC 5424, and again those of a connection that broke', async () => {
    const to = await syslog()
    to.cuts = 2
    const server = await start({ auditExportUrl: `syslog://127.0.0.1:${to.port}`, auditExportStart: 'all' })
    await server.admin(`POST ${F}`, { name: 'a', description: 'größer' })
    await until(async () => to.messages.some((message) => message.includes('größer')))
    expect(to.cuts).toBe(0)
    const message = to.messages.find((one) => one.includes('feature-created')) ?? ''
    const [, header = '', json = ''] = /^(<109>1 .*? - )(\{.*)$/.exec(message) ?? []
    expect(header).toMatch(/^<109>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ burgee - feature-created - $/)
    expect(JSON.parse(json)).toMatchObject({ featureName: 'a', data: { description: 'größer' } })
    const ids = to.messages.map((one) => JSON.parse(one.slice(one.indexOf('{'))).id)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
  })

  test('trusts the authorities of a file, and sends nothing to a server with another certificate', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'burgee-audit-'))
    ending.push({ close: async () => rmSync(folder, { recursive: true }) })
    const good = createCertificate(folder, 'DNS:localhost,IP:127.0.0.1', 'good')
    const other = createCertificate(folder, 'DNS:localhost,IP:127.0.0.1', 'other')
    const [to, stranger] = [await syslog(good), await syslog(other)]
    const given = { auditExportStart: 'all', auditExportCaFile: good.certFile }
    await start({ ...given, auditExportUrl: `syslog+tls://127.0.0.1:${to.port}` })
    const wrong = await start({ ...given, auditExportUrl: `syslog+tls://127.0.0.1:${stranger.port}` })
    await until(async () => to.messages.length > 0)
    await until(async () => wrong.logged.some((line) => line.includes('DEPTH_ZERO_SELF_SIGNED_CERT')))
    expect(stranger.messages).toEqual([])
  })
})

test.each([
  [{ auditExportUrl: 'ftp://example.com' }, 'auditExportUrl'],
  [{ auditExportUrl: 'https://user:secret@example.com' }, 'auditExportUrl'],
  [{ auditExportUrl: 'syslog://example.com/path' }, 'auditExportUrl'],
  [{ auditExportAuthorization: SECRET }, 'AUDIT_EXPORT_AUTHORIZATION needs an AUDIT_EXPORT_URL'],
  [
    { auditExportUrl: 'syslog://example.com', auditExportAuthorization: SECRET },
    'AUDIT_EXPORT_AUTHORIZATION needs an AUDIT_EXPORT_URL that begins with https://',
  ],
  [
    { auditExportUrl: 'http://127.0.0.1:1', auditExportCaFile: '/nowhere' },
    'AUDIT_EXPORT_CA_FILE needs an AUDIT_EXPORT_URL that begins with https:// or syslog+tls://',
  ],
  [
    { auditExportUrl: 'syslog+tls://example.com', auditExportCaFile: '/nowhere' },
    'AUDIT_EXPORT_CA_FILE: cannot read the file /nowhere (ENOENT)',
  ],
  [
    { auditExportUrl: 'http://example.com', requireEncryption: true },
    'REQUIRE_ENCRYPTION needs an AUDIT_EXPORT_URL that begins with https:// or syslog+tls://',
  ],
  [{ auditExportUrl: 'https://example.com', auditExportStart: 'later' }, 'auditExportStart'],
])('%j does not start', async (given, message) => {
  const error = await startServer(given).catch((one: unknown) => one)
  expect(String(error)).toContain(message)
  expect(String(error)).not.toContain('secret@')
})
