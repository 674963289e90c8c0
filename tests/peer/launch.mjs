/** Starts the established proxy with the options of the environment; tells the parent process its port. */
import { createApp } from '@unleash/proxy'

const server = createApp({}).listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
process.on('disconnect', () => process.exit())
