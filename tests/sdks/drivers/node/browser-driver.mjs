/** Drives the official JavaScript SDK for browsers: reads commands as lines of JSON, and answers each with a line. */
import { createRequire } from 'node:module'
import { answerLines } from './answer-lines.mjs'

const [, , sdk] = process.argv
const { UnleashClient, InMemoryStorageProvider } = createRequire(import.meta.url)(sdk)
const clients = new Map()
// a browser only prints an unhandled rejection; version 1 does not catch the errors of its reports
process.on('unhandledRejection', () => undefined)

/** Starts a client. Returns once the client has tried to fetch flags. */
async function start(command) {
  const client = new UnleashClient({
    url: command.url,
    clientKey: command.token,
    appName: command.appName,
    environment: 'development',
    refreshInterval: command.intervalSeconds,
    metricsInterval: command.intervalSeconds,
    metricsIntervalInitial: command.intervalSeconds,
    storageProvider: new InMemoryStorageProvider(),
    fetch: globalThis.fetch,
  })
  client.on('error', () => undefined)
  clients.set(command.client, client)
  await client.start()
  return {}
}

/** Returns one line per context, with state, variant and payload of each flag. */
async function decide({ client, flags, contexts }) {
  const own = clients.get(client)
  const decisions = []
  for (const context of contexts) {
    await own.updateContext(context)
    decisions.push(
      flags.map((flag) => {
        const { name, payload } = own.getVariant(flag)
        return [own.isEnabled(flag), name, payload?.value ?? null]
      }),
    )
  }
  return { decisions }
}

/** Evaluates one flag a number of times, for the context of the client. Returns the last result. */
async function ask({ client, flag, times }) {
  const answers = Array.from({ length: times }, () => clients.get(client).isEnabled(flag))
  return { isEnabled: answers.at(-1) }
}

/** Stops a client. */
async function stop({ client }) {
  clients.get(client).stop()
  clients.delete(client)
  return {}
}

await answerLines({ start, decide, ask, stop })
