/** The established proxy, with the options of the environment. */
import { createApp } from '@unleash/proxy'

createApp({}).listen(Number(process.env.PORT), '127.0.0.1')
