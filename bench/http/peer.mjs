/** Unleash Proxy, configured by environment variables. */
import { createApp } from '@unleash/proxy'

createApp({}).listen(Number(process.env.PORT), '127.0.0.1')
