import type { ServerWorld } from '../../server-world.ts'

/** Periodically reads which tokens other nodes have seen in use. */
export interface TokenSharing {
  start(): void
  close(): void
}

const EVERY_MS = 60_000

/**
 * Creates the job that makes tokens used at other nodes known to this one, and reads the flags of their environments, so
 * that they are accepted and served here while the database is unavailable. Does nothing on a database that serves a single node.
 */
export function createTokenSharing({
  tokens,
  documents,
  db,
  debug,
}: Pick<ServerWorld, 'tokens' | 'documents' | 'db' | 'debug'>): TokenSharing {
  let timer: NodeJS.Timeout | undefined
  const learn = () => {
    // known tokens stay known; the next run reads all tokens used since the last successful run
    const loading = tokens.loadUsed().then(() => documents.readInUse())
    loading.catch((error: unknown) => debug?.(`Reading the tokens of other nodes failed: ${String(error)}`))
  }
  return {
    start() {
      if (db.watch === undefined) return
      learn()
      timer = setInterval(learn, EVERY_MS).unref()
    },
    close: () => clearInterval(timer),
  }
}
