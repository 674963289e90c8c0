import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { until as untilLater } from '../../support/wait.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { createCertificate } from './certificates.ts'
import { type MailServer, type Received, startMailServer, textOf } from './mail-server.ts'

/** Mails to a real mail server, over sockets. */
const U = '/api/admin/user-admin'
const FORGOTTEN = 'POST /auth/reset/password-email'
const until = <T>(ask: () => T | Promise<T>) => untilLater(ask, 4000)
const folder = temporaryFolder()
const ending: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of ending.splice(0).reverse()) await one.close()
})
afterAll(() => folder.remove())

async function mailServer(...given: Parameters<typeof startMailServer>): Promise<MailServer> {
  const one = await startMailServer(...given)
  ending.push(one)
  return one
}

function started(options: object, clock: () => number = Date.now): Promise<TestServer> {
  const mail = { emailHost: '127.0.0.1', emailSender: 'Flags <flags@example.com>', serverUrl: 'https://flags.example' }
  const given = { ...mail, shutdownDelay: 0, passwordResetLimitPerMinute: 1000, ...options }
  return startServer(given, clock, { mails: { pausesMs: [5, 5, 5] } })
}

/** Starts a server that is stopped after the test. */
async function running(options: object): Promise<TestServer> {
  const server = await started(options)
  ending.push(server)
  return server
}

const create = (server: TestServer, body: object) => server.admin(`POST ${U}`, { rootRole: 3, ...body })
const forget = (server: TestServer, email: string) => server.call({ call: FORGOTTEN, body: { email } })
const first = async (mails: MailServer): Promise<Received> => {
  await until(() => mails.received.length > 0)
  return mails.received[0] as Received
}

/** Most tests share one server, but each has separate users. */
let shared: TestServer
let mails: MailServer
let now = Date.parse('2026-01-01T00:00:00Z')
beforeAll(async () => {
  mails = await startMailServer()
  shared = await started({ emailPort: mails.port }, () => now)
})
afterAll(async () => {
  await shared.close()
  await mails.close()
})

const sentTo = (address: string) => mails.received.filter(({ to }) => to.includes(address))
async function arrived(address: string): Promise<Received> {
  await until(() => sentTo(address).length > 0)
  return sentTo(address)[0] as Received
}
/** Sends another mail and waits until it arrives, to prove that an earlier mail was not sent. */
async function settled(): Promise<void> {
  const email = `last${mails.received.length}@example.com`
  await create(shared, { email })
  await arrived(email)
}
const seriesOf = async (server: TestServer) => (await server.call({ call: 'GET /internal-backstage/prometheus' })).body

describe('an invitation', () => {
  test('goes to the address of the new user, with the link of the reply, as text and as HTML', async () => {
    const made = await create(shared, { email: 'ann@example.com', name: 'Ann <b>' })
    expect(made.emailSent).toBe(true)
    const mail = await arrived('ann@example.com')
    expect([mail.from, mail.to]).toEqual(['flags@example.com', ['ann@example.com']])
    expect(mail.source).toContain('From: Flags <flags@example.com>\r\n')
    expect(mail.source).toContain('To: ann@example.com\r\n')
    expect(mail.source).toContain('Subject: Welcome to Burgee\r\n')
    expect(mail.source).toContain('Content-Type: multipart/alternative')
    expect(textOf(mail)).toContain('Hello Ann <b>,')
    expect(textOf(mail)).toContain(made.inviteLink)
    expect(mail.source).toContain('Hello Ann &lt;b&gt;,')
    expect((await shared.admin('GET /api/admin/ui-config')).emailEnabled).toBe(true)
    await until(async () =>
      (await seriesOf(shared)).includes('burgee_mails_total{template="getting-started",result="success"} 1'),
    )
    expect(shared.logged.join('\n')).not.toContain(made.inviteLink.split('=')[1])
  })

  test.each<[string, { readonly email?: string; readonly [key: string]: unknown }, boolean]>([
    ['where it is to be left out', { email: 'left-out@example.com', sendEmail: false }, false],
    ['where there is not an address', { username: 'without-address' }, false],
    [
      'where there is a password already',
      { email: 'has-one@example.com', password: 'a password nobody guesses' },
      false,
    ],
    ['on request', { email: 'asked-for@example.com', sendEmail: true }, true],
  ])('%s: sent %s %s', async (_name, body, isSent) => {
    expect((await create(shared, body)).emailSent).toBe(isSent)
    await settled()
    expect(sentTo(body.email ?? 'without-address').length).toBe(Number(isSent))
  })

  test('cannot add a header or a reader', async () => {
    const before = mails.received.length
    const name = 'x\r\nBcc: b@example.com\r\n\r\nbody'
    await create(shared, { email: 'a@example.com', name })
    const mail = await arrived('a@example.com')
    expect(mail.to).toEqual(['a@example.com'])
    expect(mail.source.split('\r\n\r\n', 1)[0]).not.toMatch(/^bcc:/im)
    const call = `POST ${U}`
    for (const email of ['a@example.com\r\nBcc: b@example.com', 'a@example.com\nb', 'A <a@example.com>']) {
      const reply = await shared.call({ as: 'admin', call, body: { email, rootRole: 3 } })
      expect([email, reply.statusCode]).toEqual([email, 400])
    }
    // a value with several addresses is not a valid e-mail address, even if the database contains it
    expect((await create(shared, { email: 'c,d@example.com' })).emailSent).toBe(true)
    await until(() => shared.logged.join().includes('the address is not a valid e-mail address'))
    expect(mails.received.slice(before).flatMap(({ to }) => to)).toEqual(['a@example.com'])
  })
})

describe('a password-reset mail', () => {
  test('links to the configured address regardless of request headers, and sets a password', async () => {
    const own = await mailServer()
    const server = await running({ emailPort: own.port, baseUriPath: '/base' })
    const base = '/base'
    const body = { email: 'Ann@Example.com', password: 'a password nobody guesses', rootRole: 3 }
    await server.call({ as: 'admin', call: `POST ${base}${U}`, body })
    const last = await server.lastEventId()
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' }
    const call = 'POST /base/auth/reset/password-email'
    const reply = await server.call({ call, headers, body: { email: 'ann@EXAMPLE.com' } })
    expect([reply.statusCode, reply.body]).toEqual([200, ''])
    const mail = await first(own)
    expect(mail.to).toEqual(['Ann@example.com'])
    expect(mail.source).not.toContain('evil')
    const [, token = ''] = /https:\/\/flags\.example\/base\/reset-password\?token=([\w-]{43})/.exec(textOf(mail)) ?? []
    const password = 'another one nobody guesses'
    const set = await server.call({ call: `POST ${base}/auth/reset/password`, body: { token, password } })
    expect(set.statusCode).toBe(200)
    const login = { username: 'ann@example.com', password }
    expect((await server.call({ call: `POST ${base}/auth/simple/login`, body: login })).statusCode).toBe(200)
    expect(await server.eventsAfter(last)).toEqual(['user-updated', 'user-updated'])
    const made = await server.db.row('select * from events where id > ? order by id limit 1', last)
    expect(made).toMatchObject({ created_by: 'forgotten password', created_by_user_id: -1337, address: '127.0.0.1' })
    expect(`${server.logged.join()} ${JSON.stringify(await server.db.rows('select * from events'))}`).not.toContain(
      token,
    )
  })

  test('leaves the link that an administrator has made, and ends the one that was mailed before', async () => {
    const mails = await mailServer()
    const server = await running({ emailPort: mails.port })
    await create(server, { username: 'ann', email: 'ann@example.com', password: 'a password nobody guesses' })
    const made = await server.admin('POST /api/admin/user-admin/reset-password', { id: 'ann' })
    await forget(server, 'ann@example.com')
    await forget(server, 'ann@example.com')
    await until(() => mails.received.length === 2)
    const links = [made.resetPasswordUrl, ...mails.received.map(textOf)]
    const tokens = links.map((text) => /reset-password\?token=([\w-]{43})/.exec(text)?.[1])
    const found = tokens.map((token) => server.call({ call: `GET /auth/reset/validate?token=${token}` }))
    expect((await Promise.all(found)).map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 401])
    expect((await server.call({ call: `GET /auth/reset/validate?token=${tokens[0]}` })).statusCode).toBe(200)
  })

  test('omits names that came with an unverified address', async () => {
    const mails = await mailServer()
    const server = await running({ emailPort: mails.port })
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const { secret } = await server.admin('POST /api/admin/invite-link/tokens', { name: 'all', expiresAt })
    const name = 'colleague. Unlock your account at https://evil.example'
    const body = { email: 'stranger@example.com', password: 'a password nobody guesses', name }
    expect((await server.call({ call: `POST /invite/${secret}/signup`, body })).statusCode).toBe(201)
    await forget(server, 'stranger@example.com')
    await until(() => mails.received.length === 1)
    expect(mails.received.map(textOf).join('')).toContain('Hello,')
    expect(mails.received.map(textOf).join('')).not.toContain('evil.example')
  })

  test('has one reply for any address, and only account owners get a mail and an event', async () => {
    await create(shared, { email: 'carl@example.com', sendEmail: false })
    await create(shared, { username: 'bert@example.com', email: 'real@example.com', sendEmail: false })
    const last = await shared.lastEventId()
    const asked = [
      'carl@example.com',
      'nobody@example.com',
      'bert@example.com',
      'carl',
      'x',
      'carl@example.com\r\nBcc: x@y.z',
    ]
    const replies = await Promise.all(asked.map((email) => forget(shared, email)))
    const bare = replies.map(({ statusCode, body, headers: { date: _date, ...headers } }) => ({
      statusCode,
      body,
      headers,
    }))
    // each call reduces what remains of the caller's rate limit
    const limits = bare.map(({ headers }) => headers['ratelimit-remaining'])
    expect(new Set(limits).size).toBe(asked.length)
    for (const one of bare) delete one.headers['ratelimit-remaining']
    for (const one of bare) expect(one).toEqual({ ...bare[0], statusCode: 200, body: '' })
    await arrived('carl@example.com')
    await settled()
    expect(
      mails.received.filter(({ source }) => source.includes('Reset your Burgee password')).map(({ to }) => to),
    ).toEqual([['carl@example.com']])
    expect(await shared.eventsAfter(last)).toEqual(['user-updated', 'user-created'])
  })

  test('has a limit of five per hour and address, known or not', async () => {
    await create(shared, { email: 'dora@example.com', sendEmail: false })
    for (const email of ['dora@example.com', 'unknown@example.com']) {
      const statuses = []
      for (let round = 0; round < 6; round += 1) statuses.push((await forget(shared, email)).statusCode)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
      expect((await forget(shared, email.toUpperCase())).statusCode).toBe(429)
    }
    await until(() => sentTo('dora@example.com').length === 5)
    now += 3_600_000
    expect((await forget(shared, 'dora@example.com')).statusCode).toBe(200)
    await until(() => sentTo('dora@example.com').length === 6)
  })
})

describe('the mail server', () => {
  const { certFile: cert, ...tls } = createCertificate(folder.path, 'DNS:localhost,IP:127.0.0.1')
  const login = {
    authOptional: false,
    onAuth: ({ username, password }, _session, done) =>
      username === 'u' && password === 'p' ? done(null, { user: username }) : done(new Error('wrong p')),
  } satisfies Parameters<typeof startMailServer>[0]
  const user = { emailUser: 'u', emailPassword: 'p' }
  const given = { emailCaFile: cert, ...user }

  test.each([
    ['with STARTTLS and a login', { ...tls, ...login }, given],
    ['with TLS from the first byte', { ...tls, ...login, secure: true }, { ...given, emailSecure: true }],
    ['with STARTTLS because it must be', tls, { emailCaFile: cert, emailStarttls: 'required' }],
    ['with STARTTLS because it can be', tls, { emailCaFile: cert }],
  ])('gets mails %s, encrypted', async (_name, options, more) => {
    const mails = await mailServer(options)
    const server = await running({ emailPort: mails.port, ...more })
    await create(server, { email: 'ann@example.com' })
    const mail = await first(mails)
    expect([mail.isEncrypted, mail.user]).toEqual([true, 'emailUser' in more ? 'u' : undefined])
  })

  test.each([
    [
      'in the clear, with a password that must not go there',
      { ...login, disabledCommands: ['STARTTLS'] },
      user,
      'ETLS',
    ],
    [
      'in the clear, where that is not allowed',
      { disabledCommands: ['STARTTLS'] },
      { emailStarttls: 'required' },
      'ETLS',
    ],
    ['with an untrusted certificate', tls, {}, /SELF_SIGNED|ESOCKET|ETLS/],
    ['with the wrong password', { ...tls, ...login }, { ...given, emailPassword: 'secret' }, 'EAUTH'],
  ] as [string, object, object, string | RegExp][])('gets nothing %s', async (_name, options, more, reason) => {
    const mails = await mailServer(options)
    const server = await running({ emailPort: mails.port, ...more })
    await create(server, { email: 'ann@example.com' })
    await until(() => server.logged.find((line) => line.includes('Giving up after 4 attempts')))
    const told = server.logged.filter((line) => line.includes('Cannot send a mail')).join('\n')
    expect(told).toMatch(reason)
    expect(told).not.toMatch(/secret|ann@|wrong p/)
    expect(mails.received).toEqual([])
  })

  test('gets a retry if it is busy, but not if it refuses an address for good', async () => {
    const asked: string[] = []
    const mails = await mailServer({
      onRcptTo({ address }, _session, done) {
        asked.push(address)
        const isBusy = address === 'busy@example.com' && asked.filter((one) => one === address).length < 3
        const responseCode = isBusy ? 450 : address === 'gone@example.com' ? 550 : undefined
        if (responseCode === undefined) return done()
        done(Object.assign(new Error(`no ${address} here`), { responseCode }))
      },
    })
    const server = await running({ emailPort: mails.port })
    await create(server, { email: 'gone@example.com' })
    await create(server, { email: 'busy@example.com' })
    expect((await first(mails)).to).toEqual(['busy@example.com'])
    expect(asked.filter((one) => one === 'gone@example.com')).toHaveLength(1)
    expect(server.logged.join('\n')).toContain('the mail server responded with 550')
    expect(server.logged.join('\n')).toMatch(/responded with 450.*Retrying in 1 s/)
    expect(server.logged.filter((line) => line.includes('A mail')).join('\n')).not.toContain('@example.com')
  })

  test('affects no request while it is down, and gets the mail when it is back', async () => {
    const before = await startMailServer()
    await before.close()
    const server = await running({ emailPort: before.port })
    const [made, asked] = [await create(server, { email: 'ann@example.com' }), await forget(server, 'ann@example.com')]
    expect([made.emailSent, asked.statusCode]).toEqual([true, 200])
    await until(() => server.logged.find((line) => line.includes('ECONNREFUSED')))
    const mails = await mailServer({}, before.port)
    expect((await first(mails)).to).toEqual(['ann@example.com'])
  })

  test('delays neither requests nor the shutdown if it never replies', async () => {
    const mails = await mailServer({ onConnect: () => {} })
    const server = await running({ emailPort: mails.port })
    for (let count = 0; count < 10; count += 1) await create(server, { email: `p${count}@example.com` })
    const start = performance.now()
    await ending.pop()?.close()
    expect(performance.now() - start).toBeLessThan(6000)
    expect(server.logged.join('\n')).toContain('6 mails were not sent before the shutdown')
  })
})

describe('without a mail server', () => {
  test('options of it are named that have no effect', async () => {
    const server = await startServer({ emailUser: 'u', emailPort: 25 })
    ending.push(server)
    expect(server.logged.join('\n')).toContain(
      'EMAIL_PORT, EMAIL_USER have no effect: without EMAIL_HOST no mail is sent',
    )
    expect((await server.admin('GET /api/admin/ui-config')).emailEnabled).toBe(false)
    expect((await create(server, { email: 'a@example.com' })).emailSent).toBe(false)
  })

  test.each([
    [{ emailHost: 'h' }, 'EMAIL_SENDER (option "emailSender") is missing'],
    [
      { emailHost: 'h', emailSender: 'a@b', emailCaFile: '/nowhere/ca.pem' },
      'EMAIL_CA_FILE: cannot read the file /nowhere/ca.pem (ENOENT)',
    ],
    [
      { emailHost: 'h', emailSender: 'a@b', emailCaFile: import.meta.filename },
      `EMAIL_CA_FILE: the file ${import.meta.filename} contains no certificate in PEM`,
    ],
    [{ emailHost: 'h', emailSender: 'a@b, c@d' }, 'emailSender'],
    [{ emailHost: 'h', emailSender: 'A <a@b>\nBcc: c@d' }, 'emailSender'],
    [{ emailHost: 'h', emailPort: 90_000, emailSender: 'a@b' }, 'emailPort'],
  ])('%j does not start', async (given, message) => {
    await expect(startServer(given)).rejects.toThrow(message)
  })
})

test('a forgotten password sends nothing to an account of a directory that has no password', async () => {
  await shared.admin('POST /api/admin/scim-settings', { enabled: true })
  const { token } = await shared.admin('POST /api/admin/scim-settings/generate-new-token')
  const scim = (call: string, body: object) =>
    shared.call({ as: `Bearer ${token}`, call, headers: { 'content-type': 'application/scim+json' }, body })
  const made = await scim('POST /scim/v2/Users', { userName: 'provisioned@example.com' })
  expect(made.statusCode).toBe(201)
  expect((await forget(shared, 'provisioned@example.com')).statusCode).toBe(200)
  await settled()
  expect(sentTo('provisioned@example.com')).toEqual([])
  const links =
    "select 1 from reset_tokens r join users u on u.id = r.user_id where u.email = 'provisioned@example.com'"
  expect(await shared.db.rows(links)).toEqual([])
})

test('a directory that takes over an account without a password ends its links', async () => {
  await shared.admin('POST /api/admin/scim-settings', { enabled: true })
  const { token } = await shared.admin('POST /api/admin/scim-settings/generate-new-token')
  const { id, inviteLink } = await create(shared, { email: 'taken-over@example.com' })
  const link = new URL(inviteLink).searchParams.get('token')
  const scim = { as: `Bearer ${token}`, headers: { 'content-type': 'application/scim+json' } }
  const body = { userName: 'taken-over@example.com', externalId: 'x1' }
  expect((await shared.call({ ...scim, call: `PUT /scim/v2/Users/${id}`, body })).statusCode).toBe(200)
  const use = { call: 'POST /auth/reset/password', body: { token: link, password: 'another Passw0rd of theirs' } }
  expect((await shared.call(use)).statusCode).toBe(401)
})
