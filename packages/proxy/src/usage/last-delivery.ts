import type { StartupConfiguration } from '../upstream/startup-configuration.ts'
import type { Reporter } from './reporter.ts'

/**
 * Delivers the last usage and waits for the last backup, at shutdown. Resolves after at most `limitMs` milliseconds, so
 * that an upstream that hangs does not block the shutdown.
 */
export async function deliverLast(reporter: Reporter, startup: StartupConfiguration, limitMs: number): Promise<void> {
  const limit = new Promise<void>((resolve) => {
    setTimeout(resolve, limitMs).unref()
  })
  await Promise.race([Promise.all([reporter.stop(), startup.settle()]), limit])
}
