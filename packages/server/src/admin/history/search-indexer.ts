import { setTimeout as sleep } from 'node:timers/promises'
import { OutageLog } from '@burgee/kit/log/outage-log'
import { PeriodicJob } from '@burgee/kit/periodic-job'
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
/** Pause between steps, during which requests and other work can use the database. */
const PAUSE_MS = 10
/** Minimum number of blocks to index for which the start and end of a pass are logged. */
const MIN_LOGGED_BLOCKS = 5

/**
 * Creates the job that indexes events, newest first. Each step of the job reads a few events. A block of events is
 * written in one transaction, so a process that is killed loses the work on one block. Several nodes can run the job.
 * If a node finds that another node has just written a block, it leaves the rest of the pass to that node. Failures are
 * logged and retried.
 */
export function createSearchIndexer({ db, logger }: Pick<World, 'db' | 'logger'>): SearchIndexer {
  const run = async () => {
    const missing = job.isClosed ? [] : await missingBlocks(db.reader)
    const isLogged = missing.length >= MIN_LOGGED_BLOCKS
    const events = missing.length * BLOCK_EVENTS
    if (isLogged) logger.info(`Indexing the history for searches: up to ${events} events, in the background`)
    for (const block of missing) {
      const outcome = await indexBlock(db, block, pass)
      if (outcome === 'present' || outcome === 'stopped') return
    }
    if (isLogged) logger.info('Indexed the history for searches')
  }
  const outage = new OutageLog({
    begins: (error) => {
      // the database code already logs the outage
      if (classifyDbError(error) === 'unavailable') return
      logger.warn('Indexing the history for searches failed; retrying', error)
    },
  })
  const job = new PeriodicJob({ run, firstMs: FIRST_MS, everyMs: EVERY_MS, outage })
  const pass = { pause: () => sleep(PAUSE_MS), isStopped: () => job.isClosed }
  return { start: () => job.start(), run, close: () => job.close() }
}
