import type { ServerWorld } from '../../server-world.ts'

/** Reads at intervals which tokens are in use at other nodes. */
export interface TokenSharing {
  start(): void
  close(): void
}

const EVERY_MS = 60_000

/**
 * Creates what makes tokens that are used at another node known to this one, so that they are accepted here while the database is
 * away. Does nothing on a database that one node has for itself.
 */
export function createTokenSharing({ tokens, db, debug }: Pick<ServerWorld, 'tokens' | 'db' | 'debug'>): TokenSharing {
  let timer: NodeJS.Timeout | undefined
  const learn = () => {
    // the tokens that are known stay so; the next time reads all that were used since
    tokens.learnUsed().catch((error: unknown) => debug?.(`Reading the tokens of other nodes failed: ${String(error)}`))
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
