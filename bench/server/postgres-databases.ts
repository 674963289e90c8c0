import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { startCluster } from '../../tests/support/postgres-cluster.ts'

/** Databases of one real PostgreSQL, which writes to disk as it does in service. */
export interface PostgresDatabases {
  /** Makes an empty one and answers with its address. */
  readonly create: () => Promise<string>
  /** Removes them, and PostgreSQL where it was started for them. */
  readonly close: () => Promise<void>
}

/** The PostgreSQL of TEST_DATABASE_URL, or one of its own. */
export async function openPostgresDatabases(): Promise<PostgresDatabases> {
  const cluster = await startCluster('durable')
  const made: string[] = []
  const administer = async (sql: string) => {
    const client = new Client({ connectionString: addressOf(cluster.url, 'postgres') })
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
      return addressOf(cluster.url, name)
    },
    close: async () => {
      for (const name of made) await administer(`drop database if exists ${name} with (force)`)
      await cluster.stop()
    },
  }
}

function addressOf(service: string, name: string): string {
  const url = new URL(service)
  url.pathname = `/${name}`
  return url.href
}
