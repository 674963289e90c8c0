import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestApp } from '../../test-support/app.ts'
import { dial, listen, type Wire } from '../../test-support/socket.ts'
import { type Route, routesFor } from './route.ts'

const route = routesFor<string>()
const common = { summary: 'S.', tag: 't', permission: null, problems: [], replies: { 200: { description: 'OK' } } }
const LOW_REQUESTS = 6
const COST_MS = 2

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/**
 * Opens connections to an app that records the order in which it handles requests. Requests to `/low` keep the app
 * busy.
 */
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
  const app = createTestApp({ routes })
  closers.push(() => app.close())
  const port = await listen(app)
  // once these requests are answered, the app has accepted all connections
  const wires = await Promise.all(Array.from({ length: count }, () => dial(port, requestOf('/usual'))))
  closers.push(() => wires.map(({ socket }) => socket.destroy()))
  await Promise.all(wires.map((wire) => wire.until(/200 OK/)))
  handled.length = 0
  return { handled, wires }
}

const requestOf = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: key\r\n\r\n`

async function ask({ socket }: Wire, path: string): Promise<string> {
  socket.write(requestOf(path))
  const [reply] = await once(socket, 'data')
  return String(reply).split('\r\n', 1)[0] ?? ''
}

describe.each([{ isHot: true }, { isHot: false }])('requests of a low priority, hot: $isHot', ({ isHot }) => {
  test('wait for all others once they have had a millisecond, and all are answered', async () => {
    const { handled, wires } = await open(LOW_REQUESTS + 1, isHot)
    const paths = wires.map((_, index) => (index < LOW_REQUESTS ? '/low' : '/usual'))
    const statuses = await Promise.all(wires.map((wire, index) => ask(wire, paths[index] ?? '')))
    expect(new Set(statuses)).toEqual(new Set(['HTTP/1.1 200 OK']))
    expect(handled).toHaveLength(LOW_REQUESTS + 1)
    // each of these requests exceeds the budget of a turn
    expect(handled.indexOf('usual')).toBeLessThanOrEqual(2)
  })

  test('run at once when the queue is otherwise empty', async () => {
    const { handled, wires } = await open(1, isHot)
    const [wire] = wires as [Wire]
    for (let count = 0; count < 3; count += 1) expect(await ask(wire, '/low')).toBe('HTTP/1.1 200 OK')
    expect(handled).toEqual(['low', 'low', 'low'])
  })
})
