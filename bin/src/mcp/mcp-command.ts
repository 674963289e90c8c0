import { parseOptions } from '@burgee/kit/options/options'
import type { CommandOutput } from '../running.ts'
import { SERVER_ACCESS_OPTIONS } from '../server-access-options.ts'
import { runBridge } from './bridge.ts'

/**
 * Runs `burgee mcp`: forwards an agent's messages between standard input and output and a server's MCP endpoint. Ends
 * when standard input ends.
 */
export async function runMcp(argv: readonly string[]): Promise<CommandOutput> {
  const { url, token } = parseOptions(SERVER_ACCESS_OPTIONS, { env: process.env, argv })
  if (token === undefined) throw new Error('Give a personal token by --token or BURGEE_TOKEN')
  // control characters need no further escaping, because messages are JSON
  const write = (message: string) => {
    const line = `${message}\n`
    process.stdout.write(line)
  }
  await runBridge(process.stdin, write, { url: `${url.replace(/\/+$/, '')}/mcp`, token })
  return { code: 0, text: '' }
}
