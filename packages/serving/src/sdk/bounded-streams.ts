import { DescriptorBudget, describeDescriptorShortage } from '@burgee/kit/descriptors'
import type { Logger } from '@burgee/kit/log/logger'
import { EventStreams } from '@burgee/kit/streams/event-streams'
import { Throttle } from '@burgee/kit/throttle'

/** Bounds of the event streams of a process, as options give them. */
export interface BoundedStreamsOptions {
  readonly maxStreams: number
  readonly maxStreamsPerUser?: number
  readonly logger: Logger
}

/** What a warning about file descriptors says. */
export interface DescriptorWarning {
  readonly maxStreams: number
  /** Variable that sets `maxStreams`. */
  readonly variable: string
  readonly logger: Logger
}

/** Logs a warning if the file descriptors of a process do not suffice for its streams. For the process that supervises others. */
export function warnOfDescriptors({ maxStreams, variable, logger }: DescriptorWarning): void {
  const shortage = describeDescriptorShortage(variable, maxStreams)
  if (shortage !== undefined) logger.warn(shortage)
}

/** Creates the event streams of a process, which stop before its file descriptors do. */
export function createBoundedStreams(options: BoundedStreamsOptions): EventStreams {
  const { maxStreams, maxStreamsPerUser, logger } = options
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
