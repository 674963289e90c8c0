import { waitingByProvider } from '../../store/integrations/deliveries.ts'
import { privateProjects } from '../../store/projects/private-projects.ts'
import { allEnvironments } from '../../store/transfer/state-reads.ts'
import type { SignInWays } from '../sso/sign-in-ways.ts'
import type { World } from '../world.ts'
import { countEverything } from './statistics.ts'

/** What an installation holds, as of some moment of the last minute in which somebody asked. */
export interface Figures {
  readonly counts: Awaited<ReturnType<typeof countEverything>>
  /** Types of environments by their names. */
  readonly environmentTypes: ReadonlyMap<string, string>
  /** How many deliveries to integrations wait, by provider. */
  readonly waitingDeliveries: ReadonlyMap<string, number>
}

/** What figures are read of. */
export interface FigureDeps extends Pick<World, 'db' | 'clock' | 'logger'> {
  readonly signIn: Pick<SignInWays, 'oidc'>
}

const GOOD_MS = 60_000

/**
 * Figures that are counted again when somebody asks and they are a minute old: who asks gets those that there are, and
 * waits for nothing. Undefined before the first ones.
 */
export function createFigures(world: FigureDeps): () => Figures | undefined {
  let figures: Figures | undefined
  let asOfMs = Number.NEGATIVE_INFINITY
  const count = async (): Promise<void> => {
    const { db, clock, signIn } = world
    const known = { now: clock(), isOidcOn: signIn.oidc().enabled }
    figures = await db.scan(async (reader) => {
      const environments = await allEnvironments(reader)
      const environmentTypes = new Map(environments.map(({ name, type }) => [name, type]))
      const waitingDeliveries = await waitingByProvider(reader)
      // nobody logs in to read them
      const hidden = await privateProjects(reader)
      return { counts: await countEverything(reader, { ...known, hidden }), environmentTypes, waitingDeliveries }
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
