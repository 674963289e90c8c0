/**
 * Module that is preloaded into every measured server. Reports the resource usage of the process to its parent, and the
 * longest stall of its event loop since the last report.
 */
import cluster from 'node:cluster'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 1
const NS_PER_MS = 1e6
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

// cluster workers also have a channel, but to their primary process
if (process.channel !== undefined && !cluster.isWorker) {
  process.on('message', (message) => {
    if (message === 'account') process.send?.(account())
    if (message === 'stall') process.send?.(stall())
  })
  process.on('disconnect', () => process.exit())
  process.channel.unref()
}

function account() {
  const { user, system } = process.cpuUsage()
  return { cpuUs: user + system, rssBytes: process.memoryUsage.rss() }
}

/** Returns the longest stall since the last call. Measuring has a small cost, so it starts only at the first call. */
function stall() {
  delay.enable()
  const longestMs = Math.max(delay.max / NS_PER_MS - RESOLUTION_MS, 0)
  delay.reset()
  return { longestMs }
}
