import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'

/**
 * Replies are built in a reused buffer. The buffer must not be reused before the previous reply has been sent
 * completely.
 */
const FLAGS = 10_000
/**
 * Number of requests that a client sends before it reads the replies; together, the replies exceed the system's socket
 * buffers.
 */
const AT_ONCE = 12
const half = { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'userId', groupId: '' } }
const DOCUMENT = {
  features: Array.from({ length: FLAGS }, (_, index) => ({
    name: `a flag with a name that is long enough to fill the buffers of the operating system ${index}`,
    enabled: true,
    strategies: [{ ...half, parameters: { ...half.parameters, groupId: String(index) } }],
  })),
}

let upstream: FakeUpstream
let proxy: TestProxy
beforeAll(async () => {
  upstream = await startUpstream(DOCUMENT)
  // the reference lists request every flag by name
  proxy = await startProxy({ flagUrl: upstream.url, evaluationBodyLimit: 1_000_000, evaluationNameLimit: 100_000 })
})
afterAll(async () => {
  await proxy.close()
  await upstream.close()
})

const get = (user: string) => `GET /proxy?userId=${user} HTTP/1.1\r\nHost: a\r\nAuthorization: ${KEY}\r\n\r\n`

/** Requests the flags of some users over one connection without reading the replies. */
async function asking(...users: string[]): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1')
  socket.pause()
  await new Promise<void>((resolve) => socket.write(users.map(get).join(''), () => resolve()))
  return socket
}

/** Reads the bodies of `count` replies. */
function bodiesOf(socket: Socket, count: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const bodies: string[] = []
    let bytes = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      for (;;) {
        const end = bytes.indexOf('\r\n\r\n')
        const length = Number(/content-length: (\d+)/i.exec(bytes.toString('latin1', 0, Math.max(end, 0)))?.[1])
        if (end < 0 || !(bytes.length >= end + 4 + length)) return
        bodies.push(bytes.toString('utf8', end + 4, end + 4 + length))
        bytes = bytes.subarray(end + 4 + length)
        if (bodies.length < count) continue
        socket.destroy()
        return resolve(bodies)
      }
    })
    socket.on('error', reject)
    socket.resume()
  })
}

/** Returns the same flags from a POST with a list, which does not use the shared buffer. */
async function namesOf(user: string): Promise<string[]> {
  const response = await fetch(`${proxy.url}/proxy`, {
    method: 'POST',
    headers: { authorization: KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ context: { userId: user }, toggles: DOCUMENT.features.map(({ name }) => name) }),
  })
  const { toggles } = (await response.json()) as { toggles: { name: string; enabled: boolean }[] }
  return toggles.filter(({ enabled }) => enabled).map(({ name }) => name)
}

const namesIn = (body: string) => (JSON.parse(body) as { toggles: { name: string }[] }).toggles.map(({ name }) => name)

test('clients that read slowly get their own replies, however many are served in the meantime', async () => {
  const users = ['a', 'b'].map((client) => Array.from({ length: AT_ONCE }, (_, index) => `${client}-${index}`))
  const waiting = await Promise.all(users.map((some) => asking(...some)))
  for (let round = 0; round < 10; round++) {
    const [body = ''] = await bodiesOf(await asking(`quick-${round}`), 1)
    expect(namesIn(body)).toEqual(await namesOf(`quick-${round}`))
  }
  for (const [index, socket] of waiting.entries()) {
    const bodies = await bodiesOf(socket, AT_ONCE)
    for (const [place, user] of (users[index] ?? []).entries()) {
      expect(namesIn(bodies[place] ?? '')).toEqual(await namesOf(user))
    }
  }
})

test('clients that go away in the middle leave nothing behind', async () => {
  for (let round = 0; round < 10; round++) (await asking(`gone-${round}`)).destroy()
  const bodies = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => bodiesOf(await asking(`stays-${index}`), 1)),
  )
  for (const [index, [body = '']] of bodies.entries()) {
    expect(namesIn(body)).toEqual(await namesOf(`stays-${index}`))
  }
})
