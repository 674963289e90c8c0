// SDK process: `sdk-process.mjs <url> <application> <interval in ms> <token> <backup folder>`
import { initialize } from 'unleash-client'

const [url, appName, interval, token, backupPath] = process.argv.slice(2)
initialize({
  url,
  appName,
  backupPath,
  refreshInterval: Number(interval),
  disableMetrics: true,
  skipInstanceCountWarning: true,
  customHeaders: { Authorization: token },
}).on('error', () => {})
// the timers of the SDK do not keep a process alive
setInterval(() => {}, 60_000)
