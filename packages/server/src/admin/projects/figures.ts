import { countPendingByProvider } from '@burgee/storage/queries/integrations/deliveries'
import { listPrivateProjects } from '@burgee/storage/queries/projects/private-projects'
import { listAllEnvironments } from '@burgee/storage/queries/transfer/state-reads'
import type { World } from '../../core/world.ts'
import type { SignInMethods } from '../sso/sign-in-methods.ts'
import { countEverything } from './statistics.ts'

/** Statistics of an installation, counted on demand at most once a minute. */
export interface Figures {
  readonly counts: Awaited<ReturnType<typeof countEverything>>
  /** Environment types, keyed by environment name. */
  readonly environmentTypes: ReadonlyMap<string, string>
  /** Number of deliveries to integrations that are waiting, by provider. */
  readonly waitingDeliveries: ReadonlyMap<string, number>
}

/** Dependencies of the figures. */
export interface FigureDeps extends Pick<World, 'db' | 'clock' | 'logger'> {
  readonly signIn: Pick<SignInMethods, 'oidc'>
}

const CACHE_MS = 60_000

/**
 * Creates a function that returns the statistics. Each call returns the latest statistics immediately. If they are more
 * than a minute old, the call also starts a new count in the background. Returns undefined before the first count has
 * finished.
 */
export function createFigures(world: FigureDeps): () => Figures | undefined {
  let figures: Figures | undefined
  let asOfMs = Number.NEGATIVE_INFINITY
  const count = async (): Promise<void> => {
    const { db, clock, signIn } = world
    const known = { now: clock(), isOidcOn: signIn.oidc().enabled }
    figures = await db.scan(async (reader) => {
      const environments = await listAllEnvironments(reader)
      const environmentTypes = new Map(environments.map(({ name, type }) => [name, type]))
      const waitingDeliveries = await countPendingByProvider(reader)
      // the statistics are public, so they must not include private projects
      const hidden = await listPrivateProjects(reader)
      return { counts: await countEverything(reader, { ...known, hidden }), environmentTypes, waitingDeliveries }
    })
  }
  return () => {
    const now = world.clock()
    if (now - asOfMs >= CACHE_MS) {
      asOfMs = now
      // on failure, the previous statistics remain until the next minute
      count().catch((error: unknown) => world.logger.debug('Cannot count the objects of this instance', error))
    }
    return figures
  }
}
