import { EDGE_OPTIONS } from '@burgee/edge/options'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { apiUrl } from '@burgee/kit/options/parsers'
import { partOf } from '@burgee/kit/options/part'
import { PROXY_OPTIONS } from '@burgee/proxy/options'
import { SERVER_OPTIONS } from '@burgee/server/options'
import { fetchAnyPort } from '@burgee/serving/upstream/fetch-any-port'
import { JSON_OPTION, resultText } from './json-option.ts'
import type { Finished } from './running.ts'

/** Options of `burgee health`; where services listen it takes from their own variables. */
export const HEALTH_OPTIONS = {
  url: {
    parse: apiUrl,
    defaultDoc: 'where a server, a proxy or an edge with the same variables listens',
    doc: 'Address to ask, with the path of its health.',
  },
  ...JSON_OPTION,
} satisfies OptionTable

const LIMIT_MS = 3000
/** What a service that listens on all addresses is reached by. */
const EVERYWHERE = new Set(['0.0.0.0', '::'])

/**
 * `burgee health [--url URL]`: code 0 where what listens there says that it is alive, for supervisors of containers. It asks
 * for life, not for readiness: a proxy whose upstream is away is not to be restarted.
 */
export async function runHealth(argv: readonly string[]): Promise<Finished> {
  const { url, json } = parseOptions(HEALTH_OPTIONS, { env: process.env, argv })
  const asked = url === undefined ? addresses() : [url]
  for (const one of asked) {
    if (await isAlive(one)) return { code: 0, text: resultText(json, { alive: true, url: one }, [`alive: ${one}`]) }
  }
  const lines = [`Nothing that is alive at ${asked.join(', ')}`]
  return { code: 1, text: resultText(json, { alive: false, asked }, lines) }
}

/** One process has one of them: whichever answers is meant. */
function addresses(): string[] {
  const { env } = process
  const server = parseOptions(partOf(SERVER_OPTIONS, ['port', 'host', 'baseUriPath']), { env })
  const proxy = parseOptions(partOf(PROXY_OPTIONS, ['port', 'host', 'proxyBasePath']), { env })
  const edge = parseOptions(partOf(EDGE_OPTIONS, ['port', 'interface', 'basePath']), { env })
  return [
    `${origin(server)}${server.baseUriPath}/health`,
    `${origin(proxy)}${proxy.proxyBasePath}/proxy/health/live`,
    `${origin({ port: edge.port, host: edge.interface })}${edge.basePath}/internal-backstage/health`,
  ]
}

function origin({ port, host }: { readonly port: number; readonly host?: string | undefined }): string {
  const name = host === undefined || EVERYWHERE.has(host) ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

async function isAlive(url: string): Promise<boolean> {
  try {
    const response = await fetchAnyPort(url, { signal: AbortSignal.timeout(LIMIT_MS) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
