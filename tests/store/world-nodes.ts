import { randomBytes } from 'node:crypto'
import type { Logger } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { createFeature } from '@burgee/server/admin/flags/features'
import { execute } from '@burgee/server/core/execute'
import { SYSTEM, type World } from '@burgee/server/core/world'
import { type OpenBroadcast, openBroadcast } from '@burgee/server/delivery/events/shared-broadcast'
import type { Database } from '@burgee/storage/database'
import { openPostgres } from '@burgee/storage/drivers/postgres/postgres'
import type { Revision } from '@burgee/storage/epochs'
import { NO_SECRETS } from '../support/place.ts'

/** Node without HTTP, with a record of its listeners' calls. */
export interface WorldNode {
  readonly world: World
  readonly heard: number[]
  /** Positions at which a restore of the database was detected. */
  readonly restored: Revision[]
  readonly logged: string[]
  /** Statements sent to the database. */
  readonly asked: string[]
  create(name: string): Promise<unknown>
  close(): Promise<void>
}

const running: WorldNode[] = []

/** Opens a PostgreSQL database like a node. */
export const openNodeDatabase = (url: string, onQuery?: (text: string) => void) =>
  openPostgres({ connection: { connectionString: url }, poolSize: 5 }, { clock: Date.now, onQuery })

/** Starts a node on a PostgreSQL database; `change` may wrap the database. */
export async function startWorldNode(url: string, change = (db: Database): Database => db): Promise<WorldNode> {
  const asked: string[] = []
  const db = change(await openNodeDatabase(url, (text) => void asked.push(text)))
  const logged: string[] = []
  const log = (message: string): void => void logged.push(message)
  const logger: Logger = { debug: log, info: log, warn: log, error: log, fatal: log }
  const broadcast: OpenBroadcast = await openBroadcast(db, { logger, clock: Date.now, monotonic: PROCESS_CLOCK })
  const world: World = {
    db,
    clock: Date.now,
    monotonic: PROCESS_CLOCK,
    random: randomBytes,
    logger,
    broadcast,
    secrets: NO_SECRETS,
  }
  const [heard, restored]: [number[], Revision[]] = [[], []]
  broadcast.subscribe(
    (events) => void heard.push(...events.map(({ id }) => id)),
    (now) => void restored.push(now),
  )
  const node: WorldNode = {
    world,
    heard,
    restored,
    logged,
    asked,
    create: (name) => execute(world, SYSTEM, createFeature, { project: 'default', body: { name } }),
    close: async () => {
      await broadcast.close()
      await db.close()
    },
  }
  running.push(node)
  return node
}

/** Closes all nodes that were started. */
export async function endWorldNodes(): Promise<void> {
  await Promise.all(running.splice(0).map((node) => node.close()))
}

/** Removes notifications, so that only polling twice a second is left. */
export const deaf = (db: Database): Database => ({ ...db, watch: () => ({ close: async () => {} }) })
