import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'
import { report } from './report.ts'

/**
 * P9: an invalid, truncated or older configuration never replaces good data. P3: good data also survives a restart
 * during an outage.
 */
const KEY = 'key-of-the-page'
const START_TOKEN = '*:development.start'
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

/** Process that serves flags from an upstream. */
interface Kind {
  readonly name: string
  readonly args: readonly string[]
  readonly env: (upstreamUrl: string) => Readonly<Record<string, string>>
  /** Path that a page requests. The response names the flags that are on. */
  readonly path: string
  readonly probe: string
  /** Reply of the probe after a start without the upstream. */
  readonly kept: object
}

const KINDS: readonly Kind[] = [
  {
    name: 'proxy',
    args: ['proxy'],
    env: (url) => ({
      FLAG_URL: url,
      FLAG_API_TOKEN: 'token',
      FLAG_PROXY_CLIENT_KEYS: KEY,
      PROXY_PORT: '0',
      FLAG_BACKUP: 'true',
      FLAG_BACKUP_FOLDER: join(folder.path, 'proxy'),
    }),
    path: '/proxy',
    probe: '/proxy/health/ready',
    kept: { stale: true, origin: 'backup' },
  },
  {
    name: 'edge',
    args: ['edge'],
    env: (url) => ({
      UPSTREAM_URL: url,
      TOKENS: START_TOKEN,
      PRETRUSTED_TOKENS: `${KEY}@development`,
      PORT: '0',
      BACKUP_FOLDER: join(folder.path, 'edge'),
      DISABLE_INSTANCE_DATA_ENDPOINT: 'false',
    }),
    path: '/api/frontend',
    probe: '/internal-backstage/instancedata',
    kept: { environments: [expect.objectContaining({ origin: 'backup' })] },
  },
]

async function startKind({ args, env, path, probe }: Kind, upstreamUrl: string) {
  const process = runBurgee(args, env(upstreamUrl))
  running.push(process)
  const base = `http://127.0.0.1:${await process.find(/port (\d+)/)}`
  const on = async () => {
    const reply = await fetch(`${base}${path}`, { headers: { authorization: KEY } })
    return reply.status === 200
      ? ((await reply.json()) as { toggles: { name: string }[] }).toggles.map(({ name }) => name)
      : reply.status
  }
  const ready = async () => (await fetch(`${base}${probe}`)).json()
  await until(async () => JSON.stringify(await on()) === '["good"]')
  return { process, on, ready }
}

/** Answers all requests other than downloads of flags. */
function answerPost({ url }: { readonly url: string }, reply: ServerResponse): void {
  if (!url.endsWith('/edge/validate')) return void reply.writeHead(202).end()
  const token = { token: START_TOKEN, type: 'client', environment: 'development', projects: ['*'] }
  reply.writeHead(200, json).end(JSON.stringify({ tokens: [token] }))
}

test.each(KINDS)(
  '$name: what is good stays, whatever the upstream answers, and over a restart while that is down',
  async (kind) => {
    const upstream = await startUpstream()
    upstream.answerWith((request, reply) =>
      request.method === 'POST'
        ? answerPost(request, reply)
        : reply.writeHead(200, { ...json, etag: tagged(7) }).end(GOOD),
    )
    const { process, on } = await startKind(kind, upstream.url)
    for (const [name, answer] of NONSENSE) {
      let asked = 0
      upstream.answerWith((request, reply) => {
        if (request.method === 'POST') return answerPost(request, reply)
        asked += 1
        // only every second reply is an error, because several consecutive replies with an older configuration would be
        // accepted as a sign that the upstream was restored
        if (asked % 2 === 0) reply.writeHead(500).end()
        else answer(reply)
      })
      // forces a request even if failures have increased the polling interval
      await until(() => {
        process.kill('SIGHUP')
        return asked >= 3
      })
      expect([name, await on()]).toEqual([name, ['good']])
    }
    await upstream.close()
    process.kill('SIGTERM')
    expect(await process.ended).toBe(0)
    const again = await startKind(kind, upstream.url)
    expect(await again.on()).toEqual(['good'])
    expect(await again.ready()).toMatchObject(kind.kept)
    report(
      'P9',
      `${NONSENSE.length} kinds of nonsense from the upstream of: ${kind.name}`,
      'the good configuration stays',
    )
    report('P3', `${kind.name} started while its upstream is down`, 'serves what it has kept')
  },
  120_000,
)
