import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { startCluster } from '../../tests/support/postgres-cluster.ts'

/** Databases on a real PostgreSQL with durable writes, as in production. */
export interface PostgresDatabases {
  /** Creates an empty database and returns its address. */
  readonly create: () => Promise<string>
  /** Drops the databases, and stops PostgreSQL if the benchmark has started it. */
  readonly close: () => Promise<void>
}

/** Opens the PostgreSQL of TEST_DATABASE_URL, or starts one. */
export async function openPostgresDatabases(): Promise<PostgresDatabases> {
  const cluster = await startCluster('durable')
  const made: string[] = []
  const administer = async (sql: string) => {
    const client = new Client({ connectionString: getAddress(cluster.url, 'postgres') })
    await client.connect()
    try {
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
  return {
    create: async () => {
      const name = `burgee_bench_${randomBytes(6).toString('hex')}`
      await administer(`create database ${name}`)
      made.push(name)
      return getAddress(cluster.url, name)
    },
    close: async () => {
      for (const name of made) await administer(`drop database if exists ${name} with (force)`)
      await cluster.stop()
    },
  }
}

function getAddress(service: string, name: string): string {
  const url = new URL(service)
  url.pathname = `/${name}`
  return url.href
}
