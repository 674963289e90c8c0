import type { ContextListener } from '@burgee/serving/evaluation/evaluation-routes'
import type { FrontendScope } from '@burgee/serving/sdk/frontends'
import { listSampledEnvironments } from '@burgee/storage/queries/impact/sampled-environments'
import { createRandomFractions, type World } from '../../core/world.ts'
import { TrafficSample } from './traffic-sample.ts'

/** Samples of contexts evaluated by this process, for environments with sampling turned on. */
export interface TrafficSamples {
  /**
   * Returns a callback to which SDK evaluations within a scope pass each context. If the environment of the scope is
   * not sampled, a call costs one field access.
   */
  listener(scope: FrontendScope): ContextListener
  /** Returns the sample of an environment; undefined if the environment is not sampled. */
  get(environment: string): TrafficSample | undefined
  close(): void
}

/** Types of events after which the list of sampled environments is read again. */
const SETTING_EVENTS: ReadonlySet<string> = new Set(['environment-updated', 'environment-deleted', 'instance-imported'])
const TICK_MS = 1000

interface Slot {
  sample: TrafficSample | undefined
}

/** Reads which environments are sampled, and rereads the list after each change on this or another node. */
export async function openTrafficSamples(
  parts: Pick<World, 'db' | 'broadcast' | 'logger' | 'clock' | 'monotonic' | 'random'>,
  isAway: boolean,
): Promise<TrafficSamples> {
  const { db, broadcast, logger, clock, monotonic, random } = parts
  const slots = new Map<string, Slot>()
  const sampleParts = { clock, monotonic, random, chance: createRandomFractions(random) }
  let timer: NodeJS.Timeout | undefined
  const slotOf = (environment: string): Slot => {
    const slot = slots.get(environment) ?? { sample: undefined }
    slots.set(environment, slot)
    return slot
  }
  const tick = (): void => {
    for (const { sample } of slots.values()) sample?.tick()
  }
  const put = (names: readonly string[]): void => {
    for (const name of names) slotOf(name).sample ??= new TrafficSample(sampleParts)
    for (const [name, slot] of slots) {
      if (names.includes(name)) continue
      slot.sample?.close()
      slot.sample = undefined
    }
    clearInterval(timer)
    timer = undefined
    if (names.length > 0) timer = setInterval(tick, TICK_MS).unref()
  }
  let last = Promise.resolve()
  const read = (): Promise<void> => {
    // run one after another, so that an older result cannot overwrite a newer result
    const own = last.then(async () => put(await listSampledEnvironments(db.reader)))
    last = own.catch(() => {})
    return own
  }
  if (!isAway) await read()
  const unsubscribe = broadcast.subscribe((events) => {
    if (!events.some(({ type }) => SETTING_EVENTS.has(type))) return undefined
    return read().catch((error: unknown) => logger.warn('Cannot reload which environments are sampled', error))
  }, read)
  return {
    listener({ environment, projects }) {
      const slot = slotOf(environment)
      return (context, names) => slot.sample?.offer(context, projects, names)
    },
    get: (environment) => slots.get(environment)?.sample,
    close() {
      unsubscribe()
      put([])
    },
  }
}
