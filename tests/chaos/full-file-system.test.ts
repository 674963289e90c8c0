import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { edgeNode, runEdge } from '../edge/processes/edge-node.ts'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { until } from '../support/wait.ts'
import { runServer, serverNode, TOKENS } from './server-node.ts'

/** File system without free space, on which a server, an edge and a proxy store their files. */
const MEGABYTES = 24
const EDGE_TOKENS = ['default:development.one', 'default:development.two', 'default:development.three']
const PROXY_KEY = 'proxy-key'
const ALONE = 'http://127.0.0.1:9'

const folder = temporaryFolder()
const disk = mountSmallDisk(MEGABYTES)
const running: BurgeeProcess[] = []
const tracked = (process: BurgeeProcess): BurgeeProcess => {
  running.push(process)
  return process
}
async function end(process: BurgeeProcess, signal: NodeJS.Signals): Promise<void> {
  process.kill(signal)
  await process.ended
}
afterEach(async () => {
  for (const process of running.splice(0)) await end(process, 'SIGKILL')
  disk?.free()
})
afterAll(() => {
  disk?.remove()
  folder.remove()
})

describe.skipIf(disk === undefined)('a full file system', () => {
  // the test runner also calls this function if the disk could not be mounted
  const { path = '', fill = () => {}, free = () => {} }: Partial<SmallDisk> = disk ?? {}

  test('refuses changes with the reason while SDKs are served, and loses nothing once it has space', async () => {
    const env = { DATA_DIR: join(path, 'data') }
    const node = await serverNode(tracked(runServer(env)))
    await node.makeOn('before')
    const made: string[] = []
    const make = async (name: string) => {
      const reply = await node.admin('POST', 'projects/default/features', { name })
      if (reply.status === 201) made.push(name)
      return reply
    }
    fill()
    let attempt = 0
    // the log of the database may have some reserved space
    const refused = await until(async () => {
      attempt += 1
      const reply = await make(`flag-${attempt}`)
      return reply.status === 201 ? undefined : reply
    })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining('it has no room left') })
    expect(await node.download()).toEqual({ status: 200, on: ['before'] })
    expect(await node.frontend()).toEqual({ status: 200, on: ['before'] })
    expect(await node.ready()).toMatchObject({ status: 200 })
    expect((await node.admin('GET', 'projects/default/features')).status).toBe(200)
    await until(async () => (await node.series('burgee_kept_failures_total')) > 0)
    free()
    expect((await make(`flag-${attempt}`)).status).toBe(201)
    await node.makeOn('after')
    await until(() => /Snapshot writes recovered/.test(node.process.output()))
    expect(node.process.output().match(/ERROR: The database is temporarily unavailable/g)).toHaveLength(1)
    await end(node.process, 'SIGKILL')
    const again = await serverNode(tracked(runServer(env)))
    expect((await again.download()).on.sort()).toEqual(['after', 'before'])
    for (const name of made) expect((await again.admin('GET', `projects/default/features/${name}`)).status).toBe(200)
  })

  test('below the backups of an edge and a proxy keeps no flag from them, and their backups are current afterwards', async () => {
    const clients = [TOKENS.client, ...EDGE_TOKENS].join()
    const server = await serverNode(
      tracked(runServer({ DATA_DIR: join(folder.path, 'data'), INIT_CLIENT_API_TOKENS: clients })),
    )
    await server.makeOn('before')
    const runEdgeOf = (upstream: string) =>
      tracked(runEdge({ UPSTREAM_URL: upstream, TOKENS: TOKENS.client, BACKUP_FOLDER: join(path, 'edge') }))
    const runProxyOf = (upstream: string) =>
      tracked(
        runBurgee(['proxy'], {
          FLAG_URL: `${upstream}/api`,
          FLAG_API_TOKEN: TOKENS.client,
          FLAG_PROXY_CLIENT_KEYS: PROXY_KEY,
          FLAG_BACKUP: 'true',
          FLAG_BACKUP_FOLDER: join(path, 'proxy'),
          PROXY_PORT: '0',
          PROXY_HOST: '127.0.0.1',
        }),
      )
    const namesOfProxy = async (process: BurgeeProcess) => {
      const base = `http://127.0.0.1:${await process.find(/port (\d+)/)}`
      const reply = await fetch(`${base}/proxy?userId=7`, { headers: { authorization: PROXY_KEY } })
      const { toggles = [] } = (await reply.json()) as { toggles?: { name: string }[] }
      return toggles.map(({ name }) => name).sort()
    }
    const [first = '', second = '', third = ''] = EDGE_TOKENS
    const edge = await edgeNode(runEdgeOf(server.base))
    const proxy = runProxyOf(server.base)
    await edge.ready()
    await until(async () => (await namesOfProxy(proxy)).length === 1)
    expect(await edge.download(first)).toEqual(['before'])
    fill()
    await server.makeOn('during')
    const both = ['before', 'during']
    await until(async () => String(await edge.download(second)) === String(both))
    await until(async () => String(await namesOfProxy(proxy)) === String(both))
    await until(() => /Cannot write the snapshot/.test(edge.process.output() + edge.process.errors()))
    await until(() => /Cannot write the backup of the features/.test(proxy.output() + proxy.errors()))
    free()
    expect(await edge.download(third)).toEqual(both)
    await until(() => /Snapshot writes recovered/.test(edge.process.output() + edge.process.errors()))
    await Promise.all([end(edge.process, 'SIGKILL'), end(proxy, 'SIGTERM'), end(server.process, 'SIGKILL')])
    const edgeAlone = await edgeNode(runEdgeOf(ALONE))
    await until(async () => String(await edgeAlone.download(second)) === String(both))
    const proxyAlone = runProxyOf(ALONE)
    await until(async () => String(await namesOfProxy(proxyAlone)) === String(both))
    await Promise.all([end(edgeAlone.process, 'SIGKILL'), end(proxyAlone, 'SIGKILL')])
  })
})
