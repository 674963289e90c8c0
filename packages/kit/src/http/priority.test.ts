import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { appOf } from '../../test-support/app.ts'
import { type Route, routesFor } from './route.ts'

const route = routesFor<string>()
const common = { summary: 'S.', tag: 't', permission: null, problems: [], replies: { 200: { description: 'OK' } } }
const LOW_REQUESTS = 6
const COST_MS = 2

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Connections to an app that notes in which order it handles requests, of which those to `/low` keep it busy. */
async function open(count: number, isHot: boolean) {
  const handled: string[] = []
  const get = { ...common, method: 'GET', isHot } as const
  const routes = [
    route({
      ...get,
      url: '/low',
      priority: 'low',
      handle: () => {
        const until = performance.now() + COST_MS
        while (performance.now() < until);
        handled.push('low')
      },
    }),
    route({ ...get, url: '/usual', handle: () => void handled.push('usual') }),
  ] as Route<string>[]
  const app = appOf({ routes })
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  closers.push(() => app.close())
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(url.port), url.hostname)
      await once(socket, 'connect')
      return socket
    }),
  )
  closers.push(() => sockets.map((socket) => socket.destroy()))
  // the app has accepted all of them then
  await Promise.all(sockets.map((socket) => ask(socket, '/usual')))
  handled.length = 0
  return { handled, sockets }
}

async function ask(socket: Socket, path: string): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: key\r\n\r\n`)
  const [reply] = await once(socket, 'data')
  return String(reply).split('\r\n', 1)[0] ?? ''
}

describe.each([{ isHot: true }, { isHot: false }])('requests of a low priority, hot: $isHot', ({ isHot }) => {
  test('wait for all others once they have had a millisecond, and all are answered', async () => {
    const { handled, sockets } = await open(LOW_REQUESTS + 1, isHot)
    const paths = sockets.map((_, index) => (index < LOW_REQUESTS ? '/low' : '/usual'))
    const statuses = await Promise.all(sockets.map((socket, index) => ask(socket, paths[index] ?? '')))
    expect(new Set(statuses)).toEqual(new Set(['HTTP/1.1 200 OK']))
    expect(handled).toHaveLength(LOW_REQUESTS + 1)
    // each of these takes more than a turn gives them
    expect(handled.indexOf('usual')).toBeLessThanOrEqual(2)
  })

  test('are answered at once where there is nothing else', async () => {
    const { handled, sockets } = await open(1, isHot)
    const [socket] = sockets as [Socket]
    for (let count = 0; count < 3; count += 1) expect(await ask(socket, '/low')).toBe('HTTP/1.1 200 OK')
    expect(handled).toEqual(['low', 'low', 'low'])
  })
})
