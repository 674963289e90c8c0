import { start } from '@burgee/proxy'
import type { Running } from './running.ts'

/** `burgee proxy`: a proxy before the upstream that the options name. SIGHUP reads secrets from their files again. */
export async function runProxy(argv: readonly string[]): Promise<Running> {
  const proxy = await start({}, { argv })
  process.stdout.write(`Burgee proxy is listening on port ${proxy.port}\n`)
  process.on('SIGHUP', () => {
    try {
      proxy.reloadSecrets()
    } catch (error) {
      process.stderr.write(`Secrets were not read again: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  })
  return proxy
}
