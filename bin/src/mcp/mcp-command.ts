import { parseOptions } from '@burgee/kit/options/options'
import type { CommandOutput } from '../running.ts'
import { SERVER_ACCESS_OPTIONS } from '../server-access-options.ts'
import { runBridge } from './bridge.ts'

/**
 * Runs `burgee mcp`: forwards the messages of an agent between standard input and output and the MCP endpoint of a
 * server. Ends with the input.
 */
export async function runMcp(argv: readonly string[]): Promise<CommandOutput> {
  const { url, token } = parseOptions(SERVER_ACCESS_OPTIONS, { env: process.env, argv })
  if (token === undefined) throw new Error('Give a personal token by --token or BURGEE_TOKEN')
  // messages are JSON, which escapes control characters
  const write = (message: string) => {
    const line = `${message}\n`
    process.stdout.write(line)
  }
  await runBridge(process.stdin, write, { url: `${url.replace(/\/+$/, '')}/mcp`, token })
  return { code: 0, text: '' }
}
