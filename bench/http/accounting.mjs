/** Preloaded into every measured server: tells the parent process what this process has used, by its own accounts. */
process.on('message', (message) => {
  if (message !== 'account') return
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuUs: user + system, rssBytes: process.memoryUsage.rss() })
})
process.on('disconnect', () => process.exit())
process.channel?.unref()
