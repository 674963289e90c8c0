import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { openDatabase } from '@burgee/server/boot/open-database'
import { SERVER_OPTIONS, type ServerOptions } from '@burgee/server/core/options/options'
import { featureName, projectName, seedInstance } from '../seed.ts'
import { seedEvents } from '../seed-events.ts'
import { type Contestant, callAdmin, startContestant } from './contestant.ts'
import { openPostgresDatabases } from './postgres-databases.ts'

/** Size of a large server. */
export interface LargeSize {
  readonly features: number
  readonly environments: number
  readonly projects: number
  readonly events: number
}

/** Size of the server for which the targets are defined. */
export const LARGE_SIZE: LargeSize = { features: 10_000, environments: 5, projects: 200, events: 1_000_000 }

/** Server with much data, all of whose scopes are in use. */
export interface LargeServer {
  readonly contestant: Contestant
  readonly features: readonly string[]
  /** Client tokens for `development`, each with its own scope; the first one is for all projects. */
  readonly tokens: readonly string[]
}

/** Databases that a large server is measured on. */
export type LargeDatabase = 'sqlite' | 'postgres'

const SCOPES = 21
const STRATEGIES = 2
const SEED = 1

/** Fills a database, starts an unpinned server on it, and passes it to `use`; removes everything afterwards. */
export async function withLargeServer<T>(
  name: LargeDatabase,
  size: LargeSize,
  use: (server: LargeServer) => Promise<T>,
): Promise<T> {
  if (name === 'sqlite') {
    const dataDir = mkdtempSync(join(tmpdir(), 'burgee-bench-'))
    return withStartedServer({ dataDir }, name, size, use).finally(() =>
      rmSync(dataDir, { recursive: true, force: true }),
    )
  }
  const databases = await openPostgresDatabases()
  return databases
    .create()
    .then((databaseUrl) => withStartedServer({ databaseUrl }, name, size, use))
    .finally(databases.close)
}

async function withStartedServer<T>(
  place: { readonly dataDir: string } | { readonly databaseUrl: string },
  name: LargeDatabase,
  size: LargeSize,
  use: (server: LargeServer) => Promise<T>,
): Promise<T> {
  const options = parseOptions(SERVER_OPTIONS as OptionTable, { given: place }) as ServerOptions
  const db = await openDatabase(options, { clock: Date.now })
  try {
    await seedInstance(db, { ...size, strategies: STRATEGIES, seed: SEED })
    await seedEvents(db, size.events, size.features)
  } finally {
    await db.close()
  }
  const contestant = await startContestant({ name, ...place, pin: [] })
  try {
    const tokens = await createTokens(contestant.port, size.projects)
    for (const token of tokens) await download(contestant.port, token)
    const features = Array.from({ length: size.features }, (_, index) => featureName(index))
    return await use({ contestant, features, tokens })
  } finally {
    await contestant.stop()
  }
}

/** Creates the tokens. The first token is for all projects, and each further token for a different half of them. */
async function createTokens(port: number, projects: number): Promise<string[]> {
  const tokens: string[] = []
  for (let scope = 0; scope < SCOPES; scope += 1) {
    const half = Array.from({ length: projects / 2 }, (_, index) => projectName((scope + index) % projects))
    const reach = { environment: 'development', projects: scope === 0 ? ['*'] : half }
    const body = { tokenName: `scope-${scope}`, type: 'client', ...reach }
    tokens.push(((await callAdmin(port, 'POST', 'api-tokens', body)) as { secret: string }).secret)
  }
  return tokens
}

async function download(port: number, authorization: string): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${port}/api/client/features`, { headers: { authorization } })
  await reply.arrayBuffer()
}
