import { gzipSync } from 'node:zlib'
import Type from 'typebox'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestApp } from '../../test-support/app.ts'
import { dial, listen } from '../../test-support/socket.ts'
import type { App, AppOptions } from './app.ts'
import { BodyBudget } from './body-budget.ts'
import { Refusal } from './refusal.ts'
import { Reply, type Route, routesFor } from './route.ts'

const MIB = 1024 * 1024
const route = routesFor<string>()
const common = {
  method: 'POST',
  summary: 'S.',
  tag: 't',
  problems: [],
  replies: { 200: { description: 'OK' } },
} as const
const Body = Type.Object({ name: Type.String() })
let release = () => {}
const ROUTES = [
  route({ ...common, permission: null, url: '/known', body: Body, bodyLimitBytes: 3 * MIB, handle: () => 'taken' }),
  route({ ...common, permission: null, url: '/hot', isHot: true, body: Body, handle: () => 'taken' }),
  route({ ...common, permission: 'public', url: '/open', body: Body, bodyLimitBytes: 3 * MIB, handle: () => 'taken' }),
  route({
    ...common,
    permission: null,
    url: '/later',
    body: Body,
    handle: () =>
      new Promise((resolve) => {
        release = () => resolve('taken')
      }),
  }),
] as Route<string>[]

const apps: App[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function listening(options: Partial<AppOptions<string>> = {}) {
  const authorize: AppOptions<string>['authorize'] = ({ headers }, { permission }) => {
    if (permission === 'public' || headers.authorization !== undefined) return 'somebody'
    throw new Error('refused')
  }
  const app = createTestApp({ routes: ROUTES, order: 'authorize-first', bodyLimitBytes: MIB, authorize, ...options })
  apps.push(app)
  return { app, port: await listen(app) }
}

const KNOWN = 'Authorization: k\r\n'
const JSON_HEAD = 'Content-Type: application/json\r\n'
const post = (path: string, headers: string) => `POST ${path} HTTP/1.1\r\nHost: h\r\n${JSON_HEAD}${headers}\r\n`
const good = '{"name":"a"}'

describe.each(['authorize-first', 'validate-first'] as const)('%s', (order) => {
  test.each([
    ['a length', 'Content-Length: 1000\r\n'],
    ['a long one', 'Content-Length: 2000000\r\n'],
    ['chunks', 'Transfer-Encoding: chunked\r\n'],
    ['a content coding', 'Content-Length: 1000\r\nContent-Encoding: gzip\r\n'],
  ])('unknown callers are rejected while the body is unsent: %s', async (_name, headers) => {
    const { app, port } = await listening({ order })
    for (const path of ['/known', '/hot']) {
      const wire = await dial(port, post(path, headers))
      await wire.until(/HTTP\/1\.1 500 [\s\S]*refused/)
      wire.socket.destroy()
    }
    const nowhere = await dial(port, post('/nowhere', headers))
    await nowhere.until(/HTTP\/1\.1 404 /)
    nowhere.socket.destroy()
    expect(app.bodies.bytes).toBe(0)
  })

  test('an error in a short body that came with the head is reported first, on both entry points', async () => {
    const { port } = await listening({ order })
    for (const path of ['/known', '/hot']) {
      const wire = await dial(port, `${post(path, 'Content-Length: 4\r\n')}{bad`)
      await wire.until(/HTTP\/1\.1 400 /)
      wire.socket.destroy()
    }
  })
})

describe('bodies of public routes', () => {
  test.each([
    ['100 kB', `{"name":"${'x'.repeat(102_389)}"}`, '', 200],
    ['more', `{"name":"${'x'.repeat(102_390)}"}`, '', 413],
    ['a content coding', gzipSync(good), 'Content-Encoding: gzip\r\n', 415],
  ])('%s', async (_name, body, headers, status) => {
    const { port } = await listening()
    const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`
    const wire = await dial(port, post('/open', `${headers}${length}Connection: close\r\n`))
    wire.socket.write(body)
    expect(await wire.ended).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })
})

describe('memory for bodies', () => {
  const budgetOf = (maxBytes: number) => ({ bodies: new BodyBudget({ maxBytes }) })

  test('reserves memory for an announced body; the next large body gets 503, and a small one succeeds', async () => {
    const { app, port } = await listening(budgetOf(8 * MIB))
    const first = await dial(port, post('/known', `${KNOWN}Content-Length: 3000000\r\n`))
    await expect.poll(() => app.bodies.bytes).toBe(6_000_000)
    const second = await dial(port, post('/known', `${KNOWN}Content-Length: 3000000\r\n`))
    await second.until(/HTTP\/1\.1 503 [\s\S]*retry-after: 5[\s\S]*overloaded/i)
    const small = await dial(port, post('/known', `${KNOWN}Content-Length: ${good.length}\r\n`))
    small.socket.write(good)
    await small.until(/"taken"/)
    first.socket.write(`{"name":"${'x'.repeat(3_000_000 - 11)}"}`)
    await first.until(/"taken"/)
    expect([app.bodies.bytes, app.bodies.refused.overloaded]).toEqual([0, 1])
    for (const { socket } of [first, second, small]) socket.destroy()
  })

  test('an inflating body is charged while it arrives, and is rejected if there is no more room', async () => {
    const { app, port } = await listening(budgetOf(4 * MIB))
    const bomb = gzipSync(Buffer.alloc(1_500_000, 32))
    const wires = await Promise.all(
      Array.from({ length: 4 }, () => {
        return dial(port, post('/known', `${KNOWN}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n`))
      }),
    )
    for (const { socket } of wires) socket.write(bomb.subarray(0, -9))
    await expect.poll(() => app.bodies.refused.overloaded).toBe(3)
    expect(app.bodies.bytes).toBeLessThan(4 * MIB)
    for (const { socket } of wires) socket.destroy()
    await expect.poll(() => app.bodies.bytes).toBe(0)
  })

  test('counts until the reply', async () => {
    const { app, port } = await listening()
    const wire = await dial(port, `${post('/later', `${KNOWN}Content-Length: ${good.length}\r\n`)}${good}`)
    await expect.poll(() => app.bodies.bytes).toBe(2 * good.length)
    release()
    await wire.until(/"taken"/)
    expect(app.bodies.bytes).toBe(0)
    wire.socket.destroy()
  })

  test('a body that does not come is refused with 408, and its room is free', async () => {
    let nowMs = 0
    const bodies = new BodyBudget({ maxBytes: 8 * MIB, now: () => nowMs })
    const { port } = await listening({ bodies })
    const wire = await dial(port, `${post('/known', `${KNOWN}Content-Length: 3000000\r\n`)}{`)
    await expect.poll(() => bodies.bytes).toBe(6_000_000)
    nowMs = 10_000
    bodies.sweep()
    await wire.until(/HTTP\/1\.1 408 /)
    expect([bodies.bytes, bodies.refused.stalled]).toEqual([0, 1])
    wire.socket.destroy()
  })

  test('a client that disconnects during authorization leaves nothing behind', async () => {
    let admit = (_who: string) => {}
    let asked = () => {}
    const seen: unknown[] = []
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const { app, port } = await listening({
      authorize: () => {
        asked()
        return new Promise((resolve) => {
          admit = resolve
        })
      },
      renderError: (error) => {
        seen.push(error instanceof Refusal ? error.reason : error)
        return new Reply(400)
      },
    })
    const wire = await dial(port, `${post('/known', `${KNOWN}Content-Length: 3000000\r\n`)}{`)
    await isAsked
    wire.socket.destroy()
    await expect.poll(() => new Promise((resolve) => app.server.getConnections((_e, n) => resolve(n)))).toBe(0)
    admit('somebody')
    await expect.poll(() => seen).toEqual(['bad-request'])
    expect(app.bodies.bytes).toBe(0)
  })
})

describe('a client that sends Expect: 100-continue', () => {
  const expecting = `Expect: 100-continue\r\nContent-Length: ${good.length}\r\n`
  test('receives 100 Continue once it is authorized', async () => {
    const { port } = await listening()
    const wire = await dial(port, post('/known', `${KNOWN}${expecting}`))
    await wire.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
    wire.socket.write(good)
    await wire.until(/"taken"/)
    wire.socket.destroy()
  })

  test('never receives 100 Continue if it is rejected', async () => {
    const { port } = await listening()
    const wire = await dial(port, post('/known', expecting))
    await wire.until(/refused/)
    expect(wire.received()).not.toContain('100 Continue')
    wire.socket.destroy()
  })
})

test.each([3_000_000, 5_000_000])(
  'a sender of %i bytes with Connection: close gets its 413, and no reset',
  async (bytes) => {
    const { port } = await listening({ bodyLimitBytes: 1000 })
    const wire = await dial(port, post('/hot', `${KNOWN}Connection: close\r\nContent-Length: ${bytes}\r\n`))
    const errors: unknown[] = []
    wire.socket.on('error', (error) => errors.push(error))
    await wire.until(/HTTP\/1\.1 413 /)
    for (let sent = 0; sent < bytes; sent += 100_000) {
      wire.socket.write('x'.repeat(100_000))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await wire.ended
    expect(errors).toEqual([])
  },
)
