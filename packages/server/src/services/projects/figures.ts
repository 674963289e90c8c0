import { allEnvironments } from '../../store/transfer/state-reads.ts'
import type { World } from '../world.ts'
import { countEverything } from './statistics.ts'

/** What an installation holds, as of some moment of the last minute in which somebody asked. */
export interface Figures {
  readonly counts: Awaited<ReturnType<typeof countEverything>>
  /** Types of environments by their names. */
  readonly environmentTypes: ReadonlyMap<string, string>
}

const GOOD_MS = 60_000

/**
 * Figures that are counted again when somebody asks and they are a minute old: who asks gets those that there are, and
 * waits for nothing. Undefined before the first ones.
 */
export function createFigures(world: Pick<World, 'db' | 'clock' | 'logger'>): () => Figures | undefined {
  let figures: Figures | undefined
  let asOfMs = Number.NEGATIVE_INFINITY
  const count = async (): Promise<void> => {
    const { db, clock } = world
    figures = await db.view(async (reader) => {
      const environments = await allEnvironments(reader)
      const environmentTypes = new Map(environments.map(({ name, type }) => [name, type]))
      return { counts: await countEverything(reader, clock()), environmentTypes }
    })
  }
  return () => {
    const now = world.clock()
    if (now - asOfMs >= GOOD_MS) {
      asOfMs = now
      // where the database is away, those before stay until the next minute
      count().catch((error: unknown) => world.logger.debug('What there is could not be counted', error))
    }
    return figures
  }
}
