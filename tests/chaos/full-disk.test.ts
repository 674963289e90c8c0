import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/burgee.ts'
import { runServer, type ServerNode, serverNode } from './server-node.ts'

/**
 * Full disk of an embedded database. Simulated by a file size limit of the process, which makes writes fail in the same
 * way.
 */
const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
let node: ServerNode
beforeAll(async () => {
  node = await serverNode(runServer({ DATA_DIR: dataDir }))
  await node.makeOn('before')
})
afterAll(async () => {
  node.process.kill('SIGKILL')
  await node.process.ended
  folder.remove()
})

const limitFiles = (bytes: number | 'unlimited') =>
  execFileSync('prlimit', [`--pid=${node.process.pid}`, `--fsize=${bytes}:unlimited`])
const make = (name: string) => node.admin('POST', 'projects/default/features', { name })

test.runIf(process.platform === 'linux')(
  'changes answer 503 with Retry-After and the reason, SDKs notice nothing; with space again all goes on, and nothing is lost',
  async () => {
    limitFiles(statSync(join(dataDir, 'burgee.sqlite-wal')).size)
    for (const name of ['one', 'other']) {
      const refused = await make(name)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
      expect(await refused.json()).toMatchObject({
        name: 'ServiceUnavailable',
        message: expect.stringMatching(/its files cannot be read or written/),
      })
    }
    expect(await node.download()).toEqual({ status: 200, on: ['before'] })
    expect(await node.frontend()).toEqual({ status: 200, on: ['before'] })
    expect(await node.ready()).toMatchObject({ status: 200 })
    expect((await node.admin('GET', 'projects/default/features')).status).toBe(200)
    limitFiles('unlimited')
    expect((await make('one')).status).toBe(201)
    await node.makeOn('after')
    expect((await node.download()).on).toEqual(['after', 'before'])
    expect(node.process.output().match(/ERROR: The database is temporarily unavailable/g)).toHaveLength(1)
  },
)
