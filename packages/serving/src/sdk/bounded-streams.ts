import { DescriptorBudget, describeDescriptorShortage } from '@burgee/kit/descriptors'
import type { Logger } from '@burgee/kit/log/logger'
import { EventStreams } from '@burgee/kit/streams/event-streams'
import { Throttle } from '@burgee/kit/throttle'

/** Bounds of the event streams of a process, as options give them. */
export interface BoundedStreamsOptions {
  readonly maxStreams: number
  readonly maxStreamsPerUser?: number
  /** Variable that sets `maxStreams`, for the log. */
  readonly variable: string
  readonly logger: Logger
}

/** Creates the event streams of a process, which stop before its file descriptors do. Logs a warning if these do not suffice. */
export function createBoundedStreams(options: BoundedStreamsOptions): EventStreams {
  const { maxStreams, maxStreamsPerUser, variable, logger } = options
  const shortage = describeDescriptorShortage(variable, maxStreams)
  if (shortage !== undefined) logger.warn(shortage)
  const throttle = new Throttle()
  return new EventStreams({
    mostOfKind: maxStreams,
    mostOfUser: maxStreamsPerUser,
    descriptors: new DescriptorBudget(),
    descriptorsExhausted: () => {
      const more = throttle.pass('')
      if (more !== undefined)
        logger.warn(`Event stream refused: no file descriptors left for streams (ulimit -n)${more}`)
    },
  })
}
