import { readFileSync } from 'node:fs'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { SERVING_OPTIONS } from '@burgee/edge/serving-options'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { apiUrl, text } from '@burgee/kit/options/parsers'
import type { CommandOutput } from '../running.ts'

/** Options of `burgee edge health` and `burgee edge ready`. */
export const PROBE_OPTIONS = {
  edgeUrl: {
    env: ['EDGE_URL'],
    parse: apiUrl,
    default: 'http://localhost:3063',
    letter: 'e',
    doc: 'URL of the node; basePath is appended unless the URL ends with it.',
  },
  basePath: SERVING_OPTIONS.basePath,
  caCertificateFile: {
    env: ['CA_CERTIFICATE_FILE'],
    parse: text,
    letter: 'c',
    doc: 'PEM file of the CA certificate of the node.',
  },
} as const satisfies OptionTable

const LIMIT_MS = 5000

/** Probes a node's health or readiness. Returns code 0 if the probe succeeds, otherwise 1 with the reason. */
export async function runProbe(probe: 'health' | 'ready', argv: readonly string[]): Promise<CommandOutput> {
  const { edgeUrl, basePath, caCertificateFile } = parseOptions(PROBE_OPTIONS, { env: process.env, argv })
  const base = edgeUrl.replace(/\/+$/, '')
  const url = `${base.endsWith(basePath) ? base : `${base}${basePath}`}/internal-backstage/${probe}`
  try {
    const status = await fetchStatus(url, caCertificateFile === undefined ? undefined : readFileSync(caCertificateFile))
    const isGood = status === 200
    return { code: isGood ? 0 : 1, text: `${url} returned ${status}${isGood ? '' : `: not ${STATE_NAMES[probe]}`}` }
  } catch (error) {
    return { code: 1, text: `Cannot reach ${url}: ${error instanceof Error ? error.message : String(error)}` }
  }
}

const STATE_NAMES = { health: 'well', ready: 'ready' }

function fetchStatus(url: string, ca: Buffer | undefined): Promise<number> {
  const request = url.startsWith('https:') ? requestSecure : requestPlain
  return new Promise((resolve, reject) => {
    const asking = request(url, { timeout: LIMIT_MS, agent: false, ...(ca === undefined ? {} : { ca }) }, (reply) => {
      reply.resume()
      reply.on('end', () => resolve(reply.statusCode ?? 0))
      reply.on('error', reject)
    })
    asking.on('timeout', () => asking.destroy(new Error(`no response within ${LIMIT_MS} ms`)))
    asking.on('error', (error: Error & { readonly code?: string }) =>
      reject(error.message === '' ? new Error(error.code ?? 'no connection') : error),
    )
    asking.end()
  })
}
