import { DescriptorBudget, describeDescriptorShortage } from '@burgee/kit/descriptors'
import type { Logger } from '@burgee/kit/log/logger'
import { EventStreams } from '@burgee/kit/streams/event-streams'
import { Throttle } from '@burgee/kit/throttle'

/** Limits of the event streams of a process, from options. */
export interface BoundedStreamsOptions {
  readonly maxStreams: number
  readonly maxStreamsPerUser?: number
  readonly logger: Logger
}

/** Data for a warning about file descriptors. */
export interface DescriptorWarning {
  readonly maxStreams: number
  /** Environment variable that sets `maxStreams`. */
  readonly variable: string
  readonly logger: Logger
}

/** Logs a warning if a process has too few file descriptors for its streams. Called by the supervising process. */
export function warnAboutDescriptors({ maxStreams, variable, logger }: DescriptorWarning): void {
  const shortage = describeDescriptorShortage(variable, maxStreams)
  if (shortage !== undefined) logger.warn(shortage)
}

/** Creates the event streams of a process. New streams are refused before file descriptors run out. */
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
