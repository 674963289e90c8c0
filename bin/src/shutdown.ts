import type { Running } from './running.ts'

/** How the end of a process was asked for. */
export interface EndSignals {
  /** Resolves at the first signal. */
  readonly asked: Promise<void>
  /** Resolves at the second one, or at Ctrl-C in a terminal: whoever sits there knows that nobody is to be waited for. */
  readonly atOnce: Promise<void>
}

/** Listens to SIGINT and SIGTERM from now on; none of them ends the process by itself. */
export function endSignals(isTerminal: boolean): EndSignals {
  const [asked, atOnce] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let count = 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      count += 1
      asked.resolve()
      if (count > 1 || (signal === 'SIGINT' && isTerminal)) atOnce.resolve()
    })
  }
  return { asked: asked.promise, atOnce: atOnce.promise }
}

/**
 * Ends what runs, in order: not ready any more, for the shutdown delay or until somebody is impatient; then closed
 * (docs/adr/0029). A service that cannot end in time is left behind, and so are timers and connections of the
 * operator's own code.
 *
 * @param giveUp ends the process
 */
export async function endInOrder(running: Running, { atOnce }: EndSignals, giveUp: () => void): Promise<void> {
  const { delayMs, limitMs } = running.times
  if (delayMs > 0) {
    running.drain()
    await passed(delayMs, [atOnce, ...(running.dismissed === undefined ? [] : [running.dismissed])])
  }
  const limit = setTimeout(giveUp, limitMs)
  await running.close()
  running.announce('Burgee has stopped')
  clearTimeout(limit)
}

async function passed(delayMs: number, sooner: readonly Promise<void>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const delay = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, delayMs)
  })
  await Promise.race([delay, ...sooner])
  clearTimeout(timer)
}
