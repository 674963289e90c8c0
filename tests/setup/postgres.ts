import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type Cluster, startCluster } from '../support/postgres-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the PostgreSQL of this test run, which is started when it is first requested. */
    postgresService: string
  }
}

interface Shared {
  users: number
  readonly service: Server
  readonly address: Promise<string>
  cluster: Promise<Cluster> | undefined
}

/** Shared through the process, because every project of a run has a separate copy of this module. */
const everywhere = globalThis as typeof globalThis & { burgeePostgres?: Shared }

/** Provides PostgreSQL lazily: the first test file that needs it starts it, and all projects share it. */
export async function setup(project: TestProject): Promise<void> {
  everywhere.burgeePostgres ??= openService()
  everywhere.burgeePostgres.users += 1
  project.provide('postgresService', await everywhere.burgeePostgres.address)
}

function openService(): Shared {
  const service = createServer(async (_request, response) => {
    shared.cluster ??= startCluster()
    try {
      const { url, from } = await shared.cluster
      response.end(JSON.stringify({ url, from }))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  }).listen(0, '127.0.0.1')
  service.unref()
  const address = once(service, 'listening').then(() => `http://127.0.0.1:${(service.address() as AddressInfo).port}`)
  const shared: Shared = { users: 0, service, address, cluster: undefined }
  return shared
}

/** Stops PostgreSQL after the last project and removes its files, even after failures. */
export async function teardown(): Promise<void> {
  const shared = everywhere.burgeePostgres
  if (shared === undefined) return
  shared.users -= 1
  if (shared.users > 0) return
  delete everywhere.burgeePostgres
  shared.service.close()
  const running = await shared.cluster?.catch(() => undefined)
  await running?.stop()
}
