/** Starts Unleash Proxy with the options in the environment. Sends its port to the parent process. */
import { createApp } from '@unleash/proxy'

const server = createApp({}).listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
process.on('disconnect', () => process.exit())
