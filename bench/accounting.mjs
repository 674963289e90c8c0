/**
 * Preloaded into every measured server: tells the parent process what this process has used, by its own accounts, and
 * for how long its event loop stood still at most since it was last asked.
 */
import cluster from 'node:cluster'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 1
const NS_PER_MS = 1e6
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

// workers of a server have a channel too, but to it
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

/** Measuring begins with the first question: it costs a little. */
function stall() {
  delay.enable()
  const longestMs = Math.max(delay.max / NS_PER_MS - RESOLUTION_MS, 0)
  delay.reset()
  return { longestMs }
}
