import { createProxy, loggerOf, upstreamParts } from '@burgee/proxy'
import { loadOptions } from '@burgee/proxy/options'
import type { Running } from './running.ts'

/** `burgee proxy`: a proxy before the upstream that the options name. */
export async function runProxy(argv: readonly string[]): Promise<Running> {
  const options = loadOptions({}, process.env, argv)
  const clock = Date.now
  const random = Math.random
  const logger = loggerOf(options, clock)
  const proxy = createProxy({ options, logger, clock, random, ...upstreamParts(options, logger, clock, random) })
  const { port } = await proxy.listen()
  process.stdout.write(`Burgee proxy is listening on port ${port}\n`)
  return proxy
}
