import { EDGE_OPTIONS } from '@burgee/edge/options'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { apiUrl } from '@burgee/kit/options/parsers'
import { selectOptions } from '@burgee/kit/options/select-options'
import { PROXY_OPTIONS } from '@burgee/proxy/options'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'
import { fetchAnyPort } from '@burgee/serving/upstream/fetch-any-port'
import { formatResult, JSON_OPTION } from './json-option.ts'
import type { CommandOutput } from './running.ts'

/**
 * Options of `burgee health`. The addresses of the server, proxy and edge come from the environment variables of these
 * services.
 */
export const HEALTH_OPTIONS = {
  url: {
    parse: apiUrl,
    defaultDoc: 'address of a server, proxy or edge with the same variables',
    doc: 'URL of the health endpoint.',
  },
  ...JSON_OPTION,
} satisfies OptionTable

const LIMIT_MS = 3000
/** Addresses that mean all interfaces. */
const ALL_INTERFACES = new Set(['0.0.0.0', '::'])

/**
 * Runs `burgee health [--url URL]` for container supervisors. Returns code 0 if the service is alive. Checks liveness
 * and not readiness, because a proxy whose upstream is down must not be restarted.
 */
export async function runHealth(argv: readonly string[]): Promise<CommandOutput> {
  const { url, json } = parseOptions(HEALTH_OPTIONS, { env: process.env, argv })
  const requested = url === undefined ? listAddresses() : [url]
  for (const one of requested) {
    if (await isAlive(one)) return { code: 0, text: formatResult(json, { alive: true, url: one }, [`alive: ${one}`]) }
  }
  const lines = [`No live service at ${requested.join(', ')}`]
  return { code: 1, text: formatResult(json, { alive: false, asked: requested }, lines) }
}

/**
 * Returns the health URLs of the server, proxy and edge on this machine. Usually only one of the three services runs,
 * so one success is enough.
 */
function listAddresses(): string[] {
  const { env } = process
  const server = parseOptions(selectOptions(SERVER_OPTIONS, ['port', 'host', 'baseUriPath']), { env })
  const proxy = parseOptions(selectOptions(PROXY_OPTIONS, ['port', 'host', 'proxyBasePath']), { env })
  const edge = parseOptions(selectOptions(EDGE_OPTIONS, ['port', 'interface', 'basePath']), { env })
  return [
    `${formatOrigin(server)}${server.baseUriPath}/health`,
    `${formatOrigin(proxy)}${proxy.proxyBasePath}/proxy/health/live`,
    `${formatOrigin({ port: edge.port, host: edge.interface })}${edge.basePath}/internal-backstage/health`,
  ]
}

function formatOrigin({ port, host }: { readonly port: number; readonly host?: string | undefined }): string {
  const name = host === undefined || ALL_INTERFACES.has(host) ? '127.0.0.1' : host
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
