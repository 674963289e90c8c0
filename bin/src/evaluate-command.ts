import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { compile } from '@burgee/engine'
import { didYouMean, nearestName } from '@burgee/kit/options/nearest'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { inHeader, text } from '@burgee/kit/options/parsers'
import { type FeatureDocument, isObject, readDocument } from '@burgee/serving/document/feature-document'
import { contextList } from './evaluation-context.ts'
import { explanationText } from './evaluation-text.ts'
import { JSON_OPTION } from './json-option.ts'
import type { Finished } from './running.ts'

/** Options of `burgee evaluate`. */
export const EVALUATE_OPTIONS = {
  context: {
    parse: contextList,
    default: {},
    isRepeatable: true,
    letter: 'c',
    doc: 'What is known of the caller: userId=7, plan=paid (any other name is a property), or a JSON object. Several: again, or comma-separated.',
  },
  token: {
    env: ['BURGEE_TOKEN'],
    parse: inHeader(text),
    secret: true,
    letter: 't',
    doc: 'Backend token, where the flags come from an address.',
  },
  ...JSON_OPTION,
} as const satisfies OptionTable

const MOST_BYTES = 128 * 1024 * 1024
const LIMIT_MS = 15_000
/** The flag is not there. */
const NOT_FOUND = 3
/** The flag is off. */
const IS_OFF = 2

/**
 * `burgee evaluate FILE|URL FLAG [options]`: whether a flag is on for a context, and why; code 0 where it is on, 2 where it is
 * off and 3 where there is none of that name.
 */
export async function runEvaluate(argv: readonly string[]): Promise<Finished> {
  const [place, name, ...rest] = argv
  if (place === undefined || name === undefined || place.startsWith('-') || name.startsWith('-')) {
    throw new Error('Name where the flags are, and one of them: burgee evaluate FILE|URL FLAG [options]')
  }
  const { context, token, json } = parseOptions(EVALUATE_OPTIONS, { env: process.env, argv: rest })
  const document = /^https?:\/\//i.test(place) ? await download(place, token) : await readFlags(place)
  const { engine, warnings } = compile(document, { clock: Date.now, random: Math.random, hostname: hostname() })
  const explanation = engine.explain(name, { ...context })
  const own = warnings.filter(({ feature }) => feature === undefined || feature === name)
  const code = !explanation.known ? NOT_FOUND : explanation.isEnabled ? 0 : IS_OFF
  if (json) return { code, text: JSON.stringify({ ...explanation, warnings: own }, undefined, 2) }
  if (!explanation.known) {
    const nearest = nearestName(name, engine.names)
    const meant = didYouMean(nearest === undefined ? undefined : `"${nearest}"`)
    return { code, text: `There is no flag "${name}" among ${engine.names.length}${meant}` }
  }
  return { code, text: explanationText(explanation, { warnings: own.map(({ message }) => message) }) }
}

/** Flags of a file: what SDKs download, a list of flags, or a backup of a proxy. */
async function readFlags(path: string): Promise<FeatureDocument> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`Cannot read ${path} (${error.code ?? error.message})`)
  })
  return documentOf(content, path)
}

function documentOf(content: string, place: string): FeatureDocument {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    throw new Error(`What is at ${place} is no JSON`)
  }
  try {
    return readDocument(Array.isArray(value) ? { features: value } : value)
  } catch (error) {
    const hint = isObject(value) && 'toggles' in value ? ': these are answers for a front end, not flags' : ''
    throw new Error(`What is at ${place} is no configuration${hint || `: ${(error as Error).message}`}`)
  }
}

/** The address of a server, an edge or a proxy, or the whole address of a document. */
async function download(address: string, token: string | undefined): Promise<FeatureDocument> {
  const url = new URL(address)
  if (/\/(api\/?)?$/.test(url.pathname)) {
    url.pathname = `${url.pathname.replace(/\/(api\/?)?$/, '')}/api/client/features`
  }
  const shown = `${url.origin}${url.pathname}`
  const headers = {
    ...{ accept: 'application/json', 'unleash-client-spec': '5.2.0', 'user-agent': 'burgee' },
    ...(token === undefined ? {} : { authorization: token }),
  }
  const reply = await fetch(url, { headers, signal: AbortSignal.timeout(LIMIT_MS) }).catch((error: Error) => {
    const { code } = (error.cause ?? error) as { code?: string }
    throw new Error(`${shown} cannot be reached (${code ?? error.name})`)
  })
  if (!reply.ok) {
    await reply.body?.cancel()
    const hint = reply.status === 401 || reply.status === 403 ? ': give a backend token by --token or BURGEE_TOKEN' : ''
    throw new Error(`${shown} answered ${reply.status}${hint}`)
  }
  return documentOf(await readText(reply, shown), shown)
}

async function readText(reply: Response, shown: string): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of reply.body ?? []) {
    bytes += piece.byteLength
    if (bytes > MOST_BYTES) throw new Error(`The answer of ${shown} is larger than ${MOST_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
