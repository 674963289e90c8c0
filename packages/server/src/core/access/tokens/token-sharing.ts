import { OutageLog } from '@burgee/kit/log/outage-log'
import { PeriodicJob } from '@burgee/kit/periodic-job'
import type { ServerWorld } from '../../server-world.ts'

/** Job that periodically reads which tokens other nodes have seen in use. */
export interface TokenSharing {
  start(): void
  close(): Promise<void>
}

const EVERY_MS = 60_000

/**
 * Creates the job. The job loads the tokens that were used on other nodes, and the flags of their environments. This
 * node can then accept the tokens and serve the flags while the database is unavailable. Does nothing on a database
 * that serves a single node.
 */
export function createTokenSharing({
  tokens,
  documents,
  db,
  debug,
}: Pick<ServerWorld, 'tokens' | 'documents' | 'db' | 'debug'>): TokenSharing {
  const run = async () => {
    // on failure, known tokens stay known; the next run covers the time since the last successful run
    await tokens.loadUsed()
    await documents.readInUse()
  }
  const outage = new OutageLog({
    begins: (error) => debug?.(`Reading the tokens of other nodes failed: ${String(error)}`),
  })
  const job = new PeriodicJob({ run, everyMs: EVERY_MS, outage })
  return {
    start() {
      if (db.watch !== undefined) job.start()
    },
    close: () => job.close(),
  }
}
