import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type Cluster, startCluster } from './postgres-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Asked for the address of the run's PostgreSQL, which starts at the first question. */
    postgresService: string
  }
}

let service: Server | undefined
let cluster: Promise<Cluster> | undefined

/** Starts no PostgreSQL yet: test files that need one ask for it, and all of them get the same. */
export async function setup(project: TestProject): Promise<void> {
  service = createServer(async (_request, response) => {
    cluster ??= startCluster()
    try {
      const { url, from } = await cluster
      response.end(JSON.stringify({ url, from }))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  service.unref()
  project.provide('postgresService', `http://127.0.0.1:${(service.address() as AddressInfo).port}`)
}

/** Stops what was started and removes its files, also after failures. */
export async function teardown(): Promise<void> {
  service?.close()
  const running = await cluster?.catch(() => undefined)
  await running?.stop()
}
