import type { StartupConfiguration } from '../upstream/startup-configuration.ts'
import type { Reporter } from './reporter.ts'

const LAST_DELIVERY_LIMIT_MS = 4000

/**
 * Delivers the last usage and waits for the last backup, at the end of the process. Resolves after four seconds at the
 * latest: an upstream that hangs cannot hold the process.
 */
export async function deliverLast(reporter: Reporter, startup: StartupConfiguration): Promise<void> {
  const limit = new Promise<void>((resolve) => {
    setTimeout(resolve, LAST_DELIVERY_LIMIT_MS).unref()
  })
  await Promise.race([Promise.all([reporter.stop(), startup.settle()]), limit])
}
