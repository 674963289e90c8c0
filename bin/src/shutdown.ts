import type { RunningService } from './running.ts'

/** Signals that have requested shutdown so far. */
export interface EndSignals {
  /** Resolves at the first signal. */
  readonly requested: Promise<void>
  /**
   * Resolves at the second signal, or at the first Ctrl-C in a terminal, because an interactive user does not want to
   * wait.
   */
  readonly immediate: Promise<void>
}

/** Starts to listen for SIGINT and SIGTERM. From then on, these signals no longer end the process automatically. */
export function listenForEndSignals(isTerminal: boolean): EndSignals {
  const [asked, atOnce] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let count = 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      count += 1
      asked.resolve()
      if (count > 1 || (signal === 'SIGINT' && isTerminal)) atOnce.resolve()
    })
  }
  return { requested: asked.promise, immediate: atOnce.promise }
}

/**
 * Shuts a service down gracefully (docs/adr/0029): reports not ready during the shutdown delay (a second signal skips
 * it), then closes the service. Does not wait for timers and connections of plugins.
 *
 * @param giveUp ends the process; called if closing takes longer than its time limit
 */
export async function shutDownGracefully(
  running: RunningService,
  { immediate }: EndSignals,
  giveUp: () => void,
): Promise<void> {
  const { delayMs, limitMs } = running.times
  if (delayMs > 0) {
    running.drain()
    await waitFor(delayMs, [immediate, ...(running.dismissed === undefined ? [] : [running.dismissed])])
  }
  const limit = setTimeout(giveUp, limitMs)
  await running.close()
  running.announce('Burgee has stopped')
  clearTimeout(limit)
}

async function waitFor(delayMs: number, sooner: readonly Promise<void>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const delay = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, delayMs)
  })
  await Promise.race([delay, ...sooner])
  clearTimeout(timer)
}
