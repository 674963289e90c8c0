import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { until as untilLater } from '../../support/wait.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { createCertificate } from './certificates.ts'
import { startMailServer, textOf } from './mail-server.ts'

/** Hostile mail servers, networks, requests and names, over sockets. */
const USER = 'POST /api/admin/user-admin'
const PASSWORD = 'the password of the mail server'
const until = <T>(ask: () => T | Promise<T>) => untilLater(ask, 4000)
const folder = temporaryFolder()
const trusted = createCertificate(folder.path, 'DNS:localhost,IP:127.0.0.1', 'trusted')
const otherHost = createCertificate(folder.path, 'DNS:mail.example', 'other-host')
const ending: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of ending.splice(0).reverse()) await one.close()
})
afterAll(() => folder.remove())

async function mailServer(options: Parameters<typeof startMailServer>[0] = {}) {
  const one = await startMailServer(options)
  ending.push(one)
  return one
}

async function running(options: object): Promise<TestServer> {
  const mail = { emailHost: '127.0.0.1', emailSender: 'Flags <flags@example.com>', serverUrl: 'https://flags.example' }
  const given = { ...mail, shutdownDelay: 0, passwordResetLimitPerMinute: 1000, ...options }
  const server = await startServer(given, Date.now, { mails: { pausesMs: [5] } })
  ending.push(server)
  return server
}

const create = (server: TestServer, body: object, headers: Readonly<Record<string, string>> = {}) =>
  server.call({ as: 'admin', call: USER, body: { rootRole: 3, ...body }, headers })
const failed = (server: TestServer) => until(() => server.logged.find((line) => line.includes('Giving up after')))
/** Lines about mails. The security log names new users with their addresses. */
const linesOf = (server: TestServer) => server.logged.filter((line) => line.includes('Cannot send a mail')).join('\n')

describe('a connection gets neither a mail nor the password', () => {
  const login = {
    authOptional: false,
    onAuth: (_auth, _session, done) => done(null, { user: 'u' }),
  } satisfies Parameters<typeof startMailServer>[0]
  const account = { emailUser: 'u', emailPassword: PASSWORD }
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }

  test.each([
    ["with another host's certificate", { ...otherHost, ...login }, { ...account, emailCaFile: otherHost.certFile }],
    [
      "with another host's certificate, from the first byte",
      { ...otherHost, ...login, secure: true },
      { ...account, emailCaFile: otherHost.certFile, emailSecure: true },
    ],
    ['with TLS 1.1', { ...trusted, ...login, ...old }, { ...account, emailCaFile: trusted.certFile }],
    ['in the clear, where TLS begins at once', login, { ...account, emailSecure: true }],
    [
      'without STARTTLS, which a network can remove',
      { ...login, disabledCommands: ['STARTTLS'] },
      { ...account, emailStarttls: 'auto' },
    ],
  ] as [string, object, object][])('%s', async (_name, options, more) => {
    const logins: unknown[] = []
    const mails = await mailServer({
      ...options,
      onAuth: (auth, _session, done) => {
        logins.push(auth)
        done(null, { user: 'u' })
      },
    })
    const server = await running({ emailPort: mails.port, ...more })
    expect((await create(server, { email: 'ann@example.com' })).statusCode).toBe(201)
    await failed(server)
    expect([mails.received, logins]).toEqual([[], []])
    expect(linesOf(server)).not.toContain('ann@example')
    expect(server.logged.join('\n')).not.toContain(PASSWORD)
  })
})

test('lines that arrive in the clear after STARTTLS count for nothing', async () => {
  const told: string[] = []
  const server = createServer((socket) => void injectAfterStarttls(socket, told).catch(() => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ending.push({ close: async () => void server.close() })
  const { port: emailPort } = server.address() as AddressInfo
  const options = { emailUser: 'u', emailPassword: PASSWORD, emailCaFile: trusted.certFile }
  const burgee = await running({ emailPort, ...options })
  await create(burgee, { email: 'ann@example.com' })
  await until(() => told.some((line) => line.startsWith('AUTH')))
  // the login method in the encrypted reply, not the injected one
  expect(told.find((line) => line.startsWith('AUTH'))).toMatch(/^AUTH PLAIN /)
})

test('errors of a mail server that repeat the password, the address and the link reach no log', async () => {
  const seen: string[] = []
  const mails = await mailServer({
    ...trusted,
    authOptional: false,
    onAuth: (_auth, _session, done) => done(null, { user: 'u' }),
    onRcptTo({ address }, _session, done) {
      seen.push(address)
      const text = `${address} ${PASSWORD} ${Buffer.from(`\0u\0${PASSWORD}`).toString('base64')} token=abc`
      done(Object.assign(new Error(text), { responseCode: 451 }))
    },
  })
  const options = { emailUser: 'u', emailPassword: PASSWORD, emailCaFile: trusted.certFile, logLevel: 'debug' }
  const server = await running({ emailPort: mails.port, ...options })
  await create(server, { email: 'ann@example.com' })
  await failed(server)
  expect(seen.length).toBeGreaterThan(0)
  expect(linesOf(server)).toContain('the mail server responded with 451')
  expect(linesOf(server)).not.toContain('ann@example')
  for (const secret of [PASSWORD, Buffer.from(PASSWORD).toString('base64').slice(4, -4), 'token='])
    expect(server.logged.join('\n')).not.toContain(secret)
})

test.each([
  { host: 'evil.example' },
  { host: 'flags.example@evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', 'x-forwarded-port': '1' },
  { forwarded: 'host=evil.example;proto=http' },
  { origin: 'https://evil.example', referer: 'https://evil.example/' },
])('links of invitations name the configured address: %j', async (headers) => {
  const mails = await mailServer()
  const server = await running({ emailPort: mails.port, trustProxy: true })
  const reply = await create(server, { email: 'ann@example.com' }, headers as Readonly<Record<string, string>>)
  expect([400, 201]).toContain(reply.statusCode)
  if (reply.statusCode === 400) return
  await until(() => mails.received.length === 1)
  const text = mails.received.map(textOf).join('')
  expect(text.match(/https?:\/\/[^/\s]+/g)).toEqual(['https://flags.example.', 'https://flags.example'])
  expect(reply.json().inviteLink).toMatch(/^https:\/\/flags\.example\//)
})

test.each([
  ['a terminal escape', 'Ann\u001b[2J\u001b]0;x\u0007'],
  ['a zero byte and an end of the mail', 'Ann\u0000\r\n.\r\nQUIT\r\n'],
  ['a header in an encoded word', 'Ann =?utf-8?q?=0D=0ABcc:_b@example.com?='],
  ['line separators', 'Ann\u2028\u2029\u0085x'],
  ['a reversed direction', 'Ann \u202egpj.exe'],
])('a name with %s adds no line, header or recipient', async (_what, name) => {
  const mails = await mailServer()
  const server = await running({ emailPort: mails.port })
  const { statusCode } = await create(server, { email: 'ann@example.com', name })
  if (statusCode === 400) return
  expect(statusCode).toBe(201)
  await until(() => mails.received.length === 1)
  const [mail] = mails.received
  const headers = mail?.source.split('\r\n\r\n', 1)[0] ?? ''
  expect([mail?.to, /^bcc:/im.test(headers)]).toEqual([['ann@example.com'], false])
  expect(headers).not.toContain('Ann')
  const text = mail === undefined ? '' : textOf(mail)
  expect(text.split('\r\n')[0]).toMatch(/^Hello Ann/)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/\p{Cc}/u)
})

test.each([
  'ann@example.com,evil@example.com',
  'ann@example.com evil@example.com',
  '<ann@example.com>',
  'ann@example.com\u0000',
  'ann@example.com\r\nRCPT TO:<evil@example.com>',
  '"ann@evil.example"@example.com',
  'ann@evil.example@example.com',
  'group:ann@example.com;',
])('a recipient is exactly one valid address: %j', async (email) => {
  const mails = await mailServer()
  const server = await running({ emailPort: mails.port })
  const { statusCode } = await create(server, { email })
  // the API may accept the address, although it is not a single recipient
  if (statusCode === 201) await failed(server)
  else expect(statusCode).toBe(400)
  await create(server, { email: 'last@example.com' })
  await until(() => mails.received.length > 0)
  expect(mails.received.map(({ to }) => to)).toEqual([['last@example.com']])
})

/** Speaks SMTP until the login. Sends a second, unencrypted reply together with the reply to STARTTLS. */
async function injectAfterStarttls(socket: Socket, told: string[]): Promise<void> {
  socket.on('error', () => {})
  socket.write('220 mail\r\n')
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    if (!String(chunk).startsWith('STARTTLS')) {
      socket.write('250-mail\r\n250 STARTTLS\r\n')
      continue
    }
    socket.write('220 go\r\n250-mail\r\n250 AUTH LOGIN\r\n')
    break
  }
  const secure = new TLSSocket(socket, { isServer: true, key: trusted.key, cert: trusted.cert })
  secure.on('error', () => {})
  secure.on('data', (chunk: Buffer) => {
    const line = String(chunk)
    told.push(line)
    secure.write(line.startsWith('EHLO') ? '250-mail\r\n250 AUTH PLAIN\r\n' : '535 no\r\n')
  })
}
