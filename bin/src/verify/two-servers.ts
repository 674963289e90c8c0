import {
  type ComparedPart,
  compareDocuments,
  type Difference,
  type PartSettings,
} from '@burgee/import/verify/compared-part'
import type { Pair } from '@burgee/import/verify/definition-difference'
import { ContextSample } from '@burgee/import/verify/sample-contexts'
import { indexRules } from '@burgee/import/verify/sampled-rules'
import { isObject } from '@burgee/kit/input/is-object'
import type { Context } from '@burgee/protocol/context'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import {
  download,
  downloadJson,
  formatAddress,
  StatusError,
  toApiUrl,
  toDocumentUrl,
} from '../evaluate/feature-documents.ts'

/** Kind of access that a server grants to a token. */
type TokenAccess =
  | { readonly kind: 'client'; readonly document: FeatureDocument }
  | { readonly kind: 'frontend' }
  | { readonly kind: 'refused' }

const LIMIT_MS = 60_000
const MAX_REQUESTS = 50
/** Number of repeated requests to detect random answers. */
const REPEATS = 20
/**
 * Number of repeated requests once the answers of one server have varied. The number is higher, because the other
 * server may vary its answers only rarely.
 */
const MAX_REPEATS = 100

/** Compares the flags that two servers serve, for one token after the other. Throws if a server cannot be reached. */
export async function compareServers(
  addresses: Pair<string>,
  tokens: readonly string[],
  settings: PartSettings,
): Promise<ComparedPart[]> {
  const parts: ComparedPart[] = []
  const documents = new Map<string, Pair<FeatureDocument>>()
  const frontends: string[] = []
  const refused: TokenLabel[] = []
  for (const [index, token] of tokens.entries()) {
    const [a, b] = await Promise.all([fetchTokenAccess(addresses.a, token), fetchTokenAccess(addresses.b, token)])
    const place = parseTokenLabel(token, index)
    if (a.kind === 'refused' && b.kind === 'refused') {
      refused.push(place)
      parts.push({ ...place, ...NOT_COMPARED })
    } else if (a.kind === 'client' && b.kind === 'client') {
      const both = { a: a.document, b: b.document }
      documents.set(place.environment, both)
      parts.push(compareDocuments({ ...place, kind: 'client' }, both, settings))
    } else if (a.kind === 'frontend' && b.kind === 'frontend') frontends.push(token)
    else parts.push(buildTokenPart(place, { a, b }, settings))
  }
  const [first] = refused
  if (first !== undefined && refused.length === tokens.length) throw new Error(`Both servers reject ${first.token}`)
  for (const token of frontends) {
    const place = parseTokenLabel(token, tokens.indexOf(token))
    const contexts = buildContexts(documents.get(place.environment), settings)
    parts.push(await compareAnswers({ addresses, token, place, contexts, settings }))
  }
  return parts
}

/** Result for a token that both servers reject, such as an expired one. */
const NOT_COMPARED = { kind: 'token', flags: [], contexts: 0, aimed: 0, differences: [] } as const

interface TokenLabel {
  readonly environment: string
  /** Token in the form that is shown in output. */
  readonly token: string
}

/**
 * Parses `project:environment.secret`. For tokens in any other form, which older servers use, only the position in the
 * list is shown.
 */
function parseTokenLabel(token: string, index: number): TokenLabel {
  const match = /^([^:]+):([^.]+)\../.exec(token)
  const number = `token ${index + 1}`
  if (match === null) return { environment: number, token: number }
  return { environment: match[2] ?? number, token: `${number} (${match[1]}:${match[2]}.…)` }
}

async function fetchTokenAccess(address: string, token: string): Promise<TokenAccess> {
  const asking = { token, limitMs: LIMIT_MS }
  try {
    return { kind: 'client', document: await download(toDocumentUrl(address), asking) }
  } catch (error) {
    if (!(error instanceof StatusError && error.isRefusal)) throw error
  }
  try {
    await downloadJson(toFrontendUrl(address, {}), asking)
    return { kind: 'frontend' }
  } catch (error) {
    if (error instanceof StatusError && error.isRefusal) return { kind: 'refused' }
    throw error
  }
}

function buildTokenPart(place: TokenLabel, { a, b }: Pair<TokenAccess>, { names }: PartSettings): ComparedPart {
  const word = ({ kind }: TokenAccess) => (kind === 'refused' ? 'rejects it' : `accepts it as a ${kind} token`)
  const says = `${names.a} ${word(a)}, ${names.b} ${word(b)}`
  return { ...place, kind: 'token', flags: [], contexts: 0, aimed: 0, differences: [{ flag: undefined, says: [says] }] }
}

/**
 * Returns the contexts for which the servers are compared. If no configuration of the same environment is known, the
 * contexts differ only in their ids.
 */
function buildContexts(documents: Pair<FeatureDocument> | undefined, settings: PartSettings): Context[] {
  const rules = documents === undefined ? [] : [indexRules(documents.a), indexRules(documents.b)]
  const count = Math.ceil(Math.min(MAX_REQUESTS, settings.comparison.contexts) / 2)
  const sample = new ContextSample(rules, { ...settings.comparison, contexts: count })
  return [...sample.iterateMixed(), ...sample.iterateScattered()].map(({ currentTime: _, ...context }) => context)
}

interface AnswerComparison {
  readonly addresses: Pair<string>
  readonly token: string
  readonly place: TokenLabel
  readonly contexts: readonly Context[]
  readonly settings: PartSettings
}

async function compareAnswers({
  addresses,
  token,
  place,
  contexts,
  settings,
}: AnswerComparison): Promise<ComparedPart> {
  const flags = new Set<string>()
  const chances = new Set<string>()
  const found = new Map<string, Difference>()
  for (const context of contexts) {
    const ask = (address: string) => fetchAnswers(toFrontendUrl(address, context), token)
    const [a, b] = await Promise.all([ask(addresses.a), ask(addresses.b)])
    for (const flag of new Set([...a.keys(), ...b.keys()])) {
      flags.add(flag)
      if (a.get(flag) === b.get(flag) || found.has(flag) || chances.has(flag)) continue
      if (await isRandom(flag, ask, addresses)) {
        chances.add(flag)
        continue
      }
      const says = `${settings.names.a} returns ${a.get(flag) ?? 'off'}, ${settings.names.b} returns ${b.get(flag) ?? 'off'}`
      found.set(flag, { flag, context, says: [says] })
    }
  }
  return {
    ...place,
    kind: 'frontend',
    flags: [...flags],
    contexts: contexts.length,
    aimed: 0,
    differences: [...found.values()],
    byChance: [...chances].filter((flag) => !found.has(flag)),
  }
}

type FetchAnswers = (address: string) => Promise<ReadonlyMap<string, string>>

/**
 * Returns true if the results of a flag are random on both sides. Both sides must give several answers for the same
 * context, with at least one answer in common.
 */
async function isRandom(flag: string, ask: FetchAnswers, { a, b }: Pair<string>): Promise<boolean> {
  const seen: Pair<Set<string | undefined>> = { a: new Set(), b: new Set() }
  for (let count = 0; count < (seen.a.size + seen.b.size > 2 ? MAX_REPEATS : REPEATS); count += 1) {
    seen.a.add((await ask(a)).get(flag))
    seen.b.add((await ask(b)).get(flag))
    const varies = seen.a.size > 1 && seen.b.size > 1
    if (varies && [...seen.a].some((answer) => seen.b.has(answer))) return true
  }
  return false
}

/** Returns the enabled flags by name; each value is a string of variant and payload. */
async function fetchAnswers(url: URL, token: string): Promise<ReadonlyMap<string, string>> {
  const body = await downloadJson(url, { token, limitMs: LIMIT_MS })
  if (!isObject(body) || !Array.isArray(body.toggles))
    throw new Error(`${formatAddress(url)} returns no evaluation results`)
  const on = body.toggles.filter(isObject).filter(({ enabled }) => enabled !== false)
  return new Map(on.map(({ name, variant, impressionData }) => [String(name), formatAnswer(variant, impressionData)]))
}

function formatAnswer(variant: unknown, impressionData: unknown): string {
  const { name, enabled, payload } = isObject(variant) ? variant : {}
  const carried = isObject(payload) ? `, ${String(payload.type)} ${JSON.stringify(payload.value)}` : ''
  const chosen = enabled === true ? ` with variant ${String(name)}${carried}` : ''
  return `on${chosen}${impressionData === true ? ', with impressions' : ''}`
}

function toFrontendUrl(address: string, context: Context): URL {
  const url = toApiUrl(address)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/frontend`
  const { properties = {}, ...direct } = context
  for (const [name, value] of Object.entries(direct)) url.searchParams.set(name, String(value))
  for (const [name, value] of Object.entries(properties)) url.searchParams.set(`properties[${name}]`, String(value))
  return url
}
