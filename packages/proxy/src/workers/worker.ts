import { setImmediate } from 'node:timers/promises'
import type { ProxyOptions } from '../options.ts'
import { createProxy } from '../proxy.ts'
import { type ProxyEnvironment, readProxySetup } from '../proxy-setup.ts'
import { getFlagSet, openProxyTelemetry } from '../proxy-telemetry.ts'
import { PrimaryLink } from './primary-link.ts'
import type { ProxyPrimaryChannel } from './proxy-messages.ts'

/** A worker that answers requests. */
export interface StartedWorker {
  /** Seconds between `drain` and `close`, unless the worker is dismissed earlier. */
  readonly shutdownDelay: number
  /** Resolves when the primary process dismisses the worker. */
  readonly dismissed: Promise<void>
  drain(): void
  close(): Promise<void>
}

/**
 * Interval at which a worker delivers counts to the primary process. A worker that is killed loses at most the counts
 * of one interval.
 */
const HAND_OVER_INTERVAL_MS = 1000

/**
 * Starts one of several worker processes of a proxy. The worker answers requests. The primary process, at the other end
 * of the channel, does all other work. If a configuration exists already, the worker accepts connections only after
 * loading it.
 */
export async function startWorker(channel: ProxyPrimaryChannel, environment: ProxyEnvironment): Promise<StartedWorker> {
  const { options, readSecrets, ...common } = await readProxySetup({}, environment)
  const telemetry = await openProxyTelemetry({ ...common, options, getSeries: () => proxy.series })
  const { tracer, decisions } = telemetry
  const link = new PrimaryLink(channel)
  const { group } = link
  const { news } = await group.begin()
  const own = toWorkerOptions(options)
  const pollIntervalMs = options.refreshInterval
  const connection = {
    source: link,
    sink: link,
    profile: link.profile,
    pollIntervalMs,
    dispatcher: undefined,
    close: async () => {},
  }
  const proxy = createProxy({
    ...common,
    options: own,
    connection,
    group,
    tracer,
    decisions,
    flagSet: getFlagSet(options),
  })
  const reload = () => {
    try {
      readSecrets()
    } catch {
      // not logged, because the primary process has logged the reason
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
    telemetry.start()
    const close = async () => {
      group.shut()
      await proxy.close()
      await telemetry.close()
    }
    return { shutdownDelay: options.shutdownDelay, dismissed, drain: proxy.drain, close }
  } catch (error) {
    await proxy.close()
    await telemetry.close()
    throw error
  }
}

/**
 * Returns a worker's options. Only the primary process stores backups and reads bootstraps. Workers deliver counts to
 * the primary process every second.
 */
function toWorkerOptions(options: ProxyOptions): ProxyOptions {
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
