import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'
import { report } from './report.ts'

/** P9: garbage, truncated or older configuration never replaces good data. P3: nor does a restart while all is down. */
const KEY = 'key-of-the-page'
const folder = temporaryFolder()
const running: BurgeeProcess[] = []
afterEach(async () => {
  for (const one of running.splice(0)) {
    one.kill('SIGKILL')
    await one.ended
  }
})
afterAll(() => folder.remove())

const EPOCH = ':0123456789abcdef'
const tagged = (number: number) => `"aaaaaaaa:${number}${EPOCH}.ff"`
const GOOD = JSON.stringify({ version: 2, features: [{ name: 'good', enabled: true, strategies: [] }] })
const BAD = JSON.stringify({ version: 2, features: [{ name: 'bad', enabled: true, strategies: [] }] })
const json = { 'content-type': 'application/json' }

const NONSENSE: readonly (readonly [string, (reply: ServerResponse) => void])[] = [
  ['a page', (reply) => reply.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')],
  ['nothing', (reply) => reply.writeHead(200, json).end()],
  ['no content', (reply) => reply.writeHead(204).end()],
  ['JSON that is cut off', (reply) => reply.writeHead(200, json).end(BAD.slice(0, -10))],
  [
    'less than was announced',
    (reply) => {
      reply.writeHead(200, { ...json, 'content-length': String(BAD.length) })
      reply.write(BAD.slice(0, 20), () => reply.destroy())
    },
  ],
  [
    'a chunk that does not end',
    (reply) => {
      reply.writeHead(200, json)
      reply.write(BAD, () => reply.destroy())
    },
  ],
  [
    'half of its compressed form',
    (reply) => reply.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(BAD).subarray(0, 30)),
  ],
  [
    'what is not compressed as it says',
    (reply) => reply.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(BAD),
  ],
  ['null', (reply) => reply.writeHead(200, json).end('null')],
  ['a list', (reply) => reply.writeHead(200, json).end('[]')],
  ['an object without flags', (reply) => reply.writeHead(200, json).end('{}')],
  ['an error that says 200', (reply) => reply.writeHead(200, json).end('{"name":"error","message":"down"}')],
  ['flags that are null', (reply) => reply.writeHead(200, json).end('{"version":2,"features":null}')],
  ['flags that are an object', (reply) => reply.writeHead(200, json).end('{"version":2,"features":{}}')],
  ['flags that are words', (reply) => reply.writeHead(200, json).end('{"version":2,"features":["good"]}')],
  ['bytes', (reply) => reply.writeHead(200, json).end(Buffer.from([0xff, 0xfe, 0, 1]))],
  ['an older configuration', (reply) => reply.writeHead(200, { ...json, etag: tagged(3) }).end(BAD)],
  ['an error', (reply) => reply.writeHead(500, json).end(BAD)],
  ['that it has not changed, to who has nothing of it', (reply) => reply.writeHead(304, { etag: tagged(99) }).end()],
]

test('a proxy keeps what is good, whatever its upstream answers, and over a restart while that is down', async () => {
  const upstream = await startUpstream()
  upstream.answerWith(({ method }, reply) =>
    method === 'POST' ? reply.writeHead(202).end() : reply.writeHead(200, { ...json, etag: tagged(7) }).end(GOOD),
  )
  const env = {
    ...{ FLAG_URL: upstream.url, FLAG_API_TOKEN: 'token', FLAG_PROXY_CLIENT_KEYS: KEY, PROXY_PORT: '0' },
    ...{ FLAG_BACKUP: 'true', FLAG_BACKUP_FOLDER: folder.path },
  }
  const start = async () => {
    const proxy = runBurgee(['proxy'], env)
    running.push(proxy)
    const base = `http://127.0.0.1:${await proxy.find(/port (\d+)/)}`
    const on = async () => {
      const reply = await fetch(`${base}/proxy`, { headers: { authorization: KEY } })
      return reply.status === 200
        ? ((await reply.json()) as { toggles: { name: string }[] }).toggles.map(({ name }) => name)
        : reply.status
    }
    const ready = async () => (await fetch(`${base}/proxy/health/ready`)).json()
    await until(async () => JSON.stringify(await on()) === '["good"]')
    return { proxy, on, ready }
  }
  const { proxy, on } = await start()
  for (const [name, answer] of NONSENSE) {
    let asked = 0
    upstream.answerWith((_request, reply) => {
      asked += 1
      // a configuration that is older again and again is believed: the upstream was put back
      if (asked % 2 === 0) reply.writeHead(500).end()
      else answer(reply)
    })
    // asks at once, be it that failures have made it patient
    await until(() => {
      proxy.kill('SIGHUP')
      return asked >= 3
    })
    expect([name, await on()]).toEqual([name, ['good']])
  }
  await upstream.close()
  proxy.kill('SIGTERM')
  expect(await proxy.ended).toBe(0)
  const again = await start()
  expect(await again.on()).toEqual(['good'])
  expect(await again.ready()).toMatchObject({ stale: true, origin: 'backup' })
  report('P9', `${NONSENSE.length} kinds of nonsense from the upstream of a proxy`, 'the good configuration stays')
  report('P3', 'proxy started while its upstream is down', 'serves its backup, stale')
}, 120_000)
