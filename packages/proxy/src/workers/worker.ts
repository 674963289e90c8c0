import { setImmediate } from 'node:timers/promises'
import type { ProxyOptions } from '../options.ts'
import { createProxy } from '../proxy.ts'
import { type ProxyEnvironment, readProxySetup } from '../proxy-setup.ts'
import type { ProxyPrimaryChannel } from './messages.ts'
import { PrimaryLink } from './primary-link.ts'

/** A worker that answers. */
export interface StartedWorker {
  /** Seconds between `drain` and `close` where nobody says that it is the end. */
  readonly shutdownDelay: number
  /** Resolves when the primary process says that this is the end. */
  readonly dismissed: Promise<void>
  drain(): void
  close(): Promise<void>
}

/** How often a worker hands its counts to the primary process: what a worker that is killed loses at most. */
const HAND_OVER_INTERVAL_MS = 1000

/**
 * Runs one of several processes of a proxy: it answers requests, the primary process at the other end of the channel
 * does the rest. Where there is a configuration already, it takes connections only once it answers from it.
 */
export async function startWorker(channel: ProxyPrimaryChannel, environment: ProxyEnvironment): Promise<StartedWorker> {
  const { options, readSecrets, ...common } = await readProxySetup({}, environment)
  const link = new PrimaryLink(channel)
  const { group } = link
  const { news } = await group.begin()
  const own = ownOptions(options)
  const pollIntervalMs = options.refreshInterval
  const connection = {
    source: link,
    sink: link,
    profile: link.profile,
    pollIntervalMs,
    dispatcher: undefined,
    close: async () => {},
  }
  const proxy = createProxy({ ...common, options: own, connection, group })
  const reload = () => {
    try {
      readSecrets()
    } catch {
      // the primary process has said why
    }
  }
  group.serve({ series: () => proxy.series, reload, drain: proxy.drain, accept: proxy.accept })
  try {
    proxy.startSync()
    if (news.length > 0) {
      while (!proxy.isReady()) await setImmediate()
    }
    const { dismissed } = group
    group.open()
    const close = () => {
      group.shut()
      return proxy.close()
    }
    return { shutdownDelay: options.shutdownDelay, dismissed, drain: proxy.drain, close }
  } catch (error) {
    await proxy.close()
    throw error
  }
}

/** The primary process alone keeps backups and reads bootstraps; it takes counts as often as they come. */
function ownOptions(options: ProxyOptions): ProxyOptions {
  return {
    ...options,
    backup: false,
    storageProvider: undefined,
    'expBootstrap.url': undefined,
    'expBootstrap.filePath': undefined,
    'expBootstrap.data': undefined,
    metricsInterval: HAND_OVER_INTERVAL_MS,
    metricsJitter: 0,
  }
}
