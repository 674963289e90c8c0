import { DescriptorBudget, describeDescriptorShortage } from '@burgee/kit/descriptors'
import type { Logger } from '@burgee/kit/log/logger'
import { EventStreams } from '@burgee/kit/streams/event-streams'
import { Throttle } from '@burgee/kit/throttle'

/** Limits on the event streams of a process, as set by options. */
export interface BoundedStreamsOptions {
  readonly maxStreams: number
  readonly maxStreamsPerUser?: number
  readonly logger: Logger
}

/** Values that the warning about file descriptors needs. */
export interface DescriptorWarning {
  readonly maxStreams: number
  /** Name of the environment variable that sets `maxStreams`. */
  readonly variable: string
  readonly logger: Logger
}

/**
 * Logs a warning if a process may open too few file descriptors for its streams. Called by the process that supervises
 * the others.
 */
export function warnAboutDescriptors({ maxStreams, variable, logger }: DescriptorWarning): void {
  const shortage = describeDescriptorShortage(variable, maxStreams)
  if (shortage !== undefined) logger.warn(shortage)
}

/**
 * Creates the event streams of a process. The number of streams is limited, so that new streams are refused before file
 * descriptors run out.
 */
export function createBoundedStreams(options: BoundedStreamsOptions): EventStreams {
  const { maxStreams, maxStreamsPerUser, logger } = options
  const throttle = new Throttle()
  return new EventStreams({
    maxPerKind: maxStreams,
    maxPerUser: maxStreamsPerUser,
    descriptors: new DescriptorBudget(),
    descriptorsExhausted: () => {
      const more = throttle.pass('')
      if (more !== undefined)
        logger.warn(`Event stream refused: no file descriptors left for streams (ulimit -n)${more}`)
    },
  })
}
