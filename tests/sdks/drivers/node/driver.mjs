/** Drives the official Node SDK: reads commands as lines of JSON, and answers each with a line. */
import { createRequire } from 'node:module'
import { answerLines } from './answer-lines.mjs'

const [, , sdk] = process.argv
const { Unleash } = createRequire(import.meta.url)(sdk)
const clients = new Map()
// versions before 6 throw errors that arrive after a client was destroyed, such as the rejection of its token
process.on('uncaughtException', () => undefined)

/** Starts a client, which fetches flags in the background. */
async function start(command) {
  const [type, value] = command.tag?.split(':') ?? []
  const mode = command.streaming ? { type: 'streaming' } : command.delta && { type: 'polling', format: 'delta' }
  const client = new Unleash({
    url: command.url,
    appName: command.appName,
    instanceId: command.instanceId,
    environment: 'development',
    customHeaders: { Authorization: command.token },
    refreshInterval: command.intervalSeconds * 1000,
    metricsInterval: command.intervalSeconds * 1000,
    backupPath: command.folder,
    projectName: command.project,
    namePrefix: command.prefix,
    ...(command.tag && { tags: [{ name: type, value }] }),
    ...(mode && { experimentalMode: mode }),
    skipInstanceCountWarning: true,
  })
  for (const event of ['error', 'warn']) client.on(event, () => undefined)
  clients.set(command.client, client)
  return {}
}

/** Returns one line per context, with state, variant and payload of each flag. */
async function decide({ client, flags, contexts }) {
  const own = clients.get(client)
  const one = (flag, context) => {
    const { name, payload } = own.getVariant(flag, context)
    return [own.isEnabled(flag, context), name, payload?.value ?? null]
  }
  return { decisions: contexts.map((context) => flags.map((flag) => one(flag, context))) }
}

/** Evaluates one flag a number of times. Returns the last result. */
async function ask({ client, flag, context, times }) {
  const answers = Array.from({ length: times }, () => clients.get(client).isEnabled(flag, context))
  return { isEnabled: answers.at(-1) }
}

/** Increments an impact metric. */
async function measure({ client, name }) {
  const { impactMetrics } = clients.get(client)
  impactMetrics.defineCounter(name, 'A counter of a test')
  impactMetrics.incrementCounter(name, 3)
  return {}
}

/** Stops a client. */
async function stop({ client }) {
  clients.get(client).destroy()
  clients.delete(client)
  return {}
}

await answerLines({ start, decide, ask, measure, stop })
