import { setTimeout as sleep } from 'node:timers/promises'
import { classifyDbError } from '@burgee/storage/errors'
import { indexBlock, missingBlocks } from '@burgee/storage/queries/events/search-index'
import { BLOCK_EVENTS } from '@burgee/storage/queries/events/search-postings'
import type { World } from '../../core/world.ts'

/** Background job that indexes the contents of events for searches. */
export interface SearchIndexer {
  /** Starts the schedule. */
  start(): void
  /** Indexes all events that are due. Throws database errors. */
  run(): Promise<void>
  /** Stops the schedule and waits for the current step. */
  close(): Promise<void>
}

const FIRST_MS = 5000
const EVERY_MS = 15_000
/** Pause between steps, for requests and other work on the database. */
const PAUSE_MS = 10
/** Number of missing blocks from which the start and the end of a pass are logged. */
const MIN_LOGGED_BLOCKS = 5

/**
 * Creates the job that indexes events, newest first. Each step reads a few events; a block of events is written in one
 * transaction, so a process that is killed loses the work on one block. Several nodes may run it; if one finds a
 * block that another has just written, it leaves the rest of the pass to the other. Failures are logged and retried.
 */
export function createSearchIndexer({ db, logger }: Pick<World, 'db' | 'logger'>): SearchIndexer {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isFailing = false
  let isClosed = false
  const pass = { pause: () => sleep(PAUSE_MS), isStopped: () => isClosed }
  const run = async () => {
    const missing = isClosed ? [] : await missingBlocks(db.reader)
    const isLogged = missing.length >= MIN_LOGGED_BLOCKS
    const events = missing.length * BLOCK_EVENTS
    if (isLogged) logger.info(`Indexing the history for searches: up to ${events} events, in the background`)
    for (const block of missing) {
      const outcome = await indexBlock(db, block, pass)
      if (outcome === 'present' || outcome === 'stopped') return
    }
    if (isLogged) logger.info('Indexed the history for searches')
  }
  const runLogged = () => {
    running = running.then(run).then(
      () => {
        isFailing = false
      },
      (error: unknown) => {
        // an outage of the database is logged elsewhere
        if (!isFailing && classifyDbError(error) !== 'unavailable')
          logger.warn('Indexing the history for searches failed; retrying', error)
        isFailing = true
      },
    )
  }
  const schedule = (delayMs: number) => {
    timer = setTimeout(() => {
      runLogged()
      void running.then(() => {
        if (!isClosed) schedule(EVERY_MS)
      })
    }, delayMs).unref()
  }
  return {
    start: () => schedule(FIRST_MS),
    run,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}
