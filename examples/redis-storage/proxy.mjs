import { start } from '@burgee/proxy'
import { createClient } from 'redis'
import { RedisStorage } from './redis-storage.mjs'

// A client without a connection queues commands; the queue is disabled so that it cannot fill the memory.
const redis = createClient({ url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', commandsQueueMaxLength: 100 })
redis.on('error', (error) => process.stderr.write(`Redis: ${error.message}\n`))

// Not awaited: the proxy also starts without Redis, and waits at most ten seconds for a storage.
redis.connect().catch(() => {})

const proxy = await start({ storageProvider: new RedisStorage(redis) })
process.stdout.write(`The proxy is listening on port ${proxy.port}\n`)

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await proxy.close()
    redis.destroy()
  })
}
