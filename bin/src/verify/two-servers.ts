import {
  type ComparedPart,
  type Difference,
  documentsPart,
  type PartSettings,
} from '@burgee/import/verify/compared-part'
import type { Pair } from '@burgee/import/verify/definition-difference'
import { rulesOf } from '@burgee/import/verify/flag-rules'
import { ContextSample } from '@burgee/import/verify/sample-contexts'
import type { Context } from '@burgee/protocol/context'
import { type FeatureDocument, isObject } from '@burgee/serving/document/feature-document'
import {
  AnsweredStatus,
  apiUrl,
  documentUrl,
  download,
  downloadJson,
  shownAddress,
} from '../evaluate/feature-documents.ts'

/** Access that a server grants to a token. */
type Given =
  | { readonly kind: 'client'; readonly document: FeatureDocument }
  | { readonly kind: 'frontend' }
  | { readonly kind: 'refused' }

const LIMIT_MS = 60_000
const MOST_REQUESTS = 50
/** Number of repeated requests to detect random answers. */
const REPEATS = 20
/** Number of repeated requests once one side has varied, because the other side may vary rarely. */
const MOST_REPEATS = 100

/** Compares what two servers serve for each token, one after the other. Throws if one of them cannot be reached. */
export async function compareServers(
  addresses: Pair<string>,
  tokens: readonly string[],
  settings: PartSettings,
): Promise<ComparedPart[]> {
  const parts: ComparedPart[] = []
  const documents = new Map<string, Pair<FeatureDocument>>()
  const frontends: string[] = []
  const refused: Place[] = []
  for (const [index, token] of tokens.entries()) {
    const [a, b] = await Promise.all([givenTo(addresses.a, token), givenTo(addresses.b, token)])
    const place = placeOf(token, index)
    if (a.kind === 'refused' && b.kind === 'refused') {
      refused.push(place)
      parts.push({ ...place, ...NOTHING })
    } else if (a.kind === 'client' && b.kind === 'client') {
      const both = { a: a.document, b: b.document }
      documents.set(place.environment, both)
      parts.push(documentsPart({ ...place, kind: 'client' }, both, settings))
    } else if (a.kind === 'frontend' && b.kind === 'frontend') frontends.push(token)
    else parts.push(tokenPart(place, { a, b }, settings))
  }
  const [first] = refused
  if (first !== undefined && refused.length === tokens.length) throw new Error(`Both servers refuse ${first.token}`)
  for (const token of frontends) {
    const place = placeOf(token, tokens.indexOf(token))
    const contexts = answerContexts(documents.get(place.environment), settings)
    parts.push(await answersPart({ addresses, token, place, contexts, settings }))
  }
  return parts
}

/** Result for a token that both servers reject, such as an expired one. */
const NOTHING = { kind: 'token', flags: [], contexts: 0, aimed: 0, differences: [] } as const

interface Place {
  readonly environment: string
  /** Token as shown in output. */
  readonly token: string
}

/**
 * Parses `project:environment.secret`. Tokens of older servers have any form, and then only their position is shown.
 */
function placeOf(token: string, index: number): Place {
  const match = /^([^:]+):([^.]+)\../.exec(token)
  const number = `token ${index + 1}`
  if (match === null) return { environment: number, token: number }
  return { environment: match[2] ?? number, token: `${number} (${match[1]}:${match[2]}.…)` }
}

async function givenTo(address: string, token: string): Promise<Given> {
  const asking = { token, limitMs: LIMIT_MS }
  try {
    return { kind: 'client', document: await download(documentUrl(address), asking) }
  } catch (error) {
    if (!(error instanceof AnsweredStatus && error.isRefusal)) throw error
  }
  try {
    await downloadJson(frontendUrl(address, {}), asking)
    return { kind: 'frontend' }
  } catch (error) {
    if (error instanceof AnsweredStatus && error.isRefusal) return { kind: 'refused' }
    throw error
  }
}

function tokenPart(place: Place, { a, b }: Pair<Given>, { names }: PartSettings): ComparedPart {
  const word = ({ kind }: Given) => (kind === 'refused' ? 'refuses it' : `takes it for a ${kind} token`)
  const says = `${names.a} ${word(a)}, ${names.b} ${word(b)}`
  return { ...place, kind: 'token', flags: [], contexts: 0, aimed: 0, differences: [{ flag: undefined, says: [says] }] }
}

/** Returns contexts to compare. Without a configuration of the same environment, only their ids vary. */
function answerContexts(documents: Pair<FeatureDocument> | undefined, settings: PartSettings): Context[] {
  const rules = documents === undefined ? [] : [rulesOf(documents.a), rulesOf(documents.b)]
  const count = Math.ceil(Math.min(MOST_REQUESTS, settings.asked.contexts) / 2)
  const sample = new ContextSample(rules, { ...settings.asked, contexts: count })
  return [...sample.mixed(), ...sample.scattered()].map(({ currentTime: _, ...context }) => context)
}

interface Answers {
  readonly addresses: Pair<string>
  readonly token: string
  readonly place: Place
  readonly contexts: readonly Context[]
  readonly settings: PartSettings
}

async function answersPart({ addresses, token, place, contexts, settings }: Answers): Promise<ComparedPart> {
  const flags = new Set<string>()
  const chances = new Set<string>()
  const found = new Map<string, Difference>()
  for (const context of contexts) {
    const ask = (address: string) => answersFor(frontendUrl(address, context), token)
    const [a, b] = await Promise.all([ask(addresses.a), ask(addresses.b)])
    for (const flag of new Set([...a.keys(), ...b.keys()])) {
      flags.add(flag)
      if (a.get(flag) === b.get(flag) || found.has(flag) || chances.has(flag)) continue
      if (await isChance(flag, ask, addresses)) {
        chances.add(flag)
        continue
      }
      const says = `${settings.names.a} answers ${a.get(flag) ?? 'off'}, ${settings.names.b} answers ${b.get(flag) ?? 'off'}`
      found.set(flag, { flag, context, says: [says] })
    }
  }
  return {
    ...{ ...place, kind: 'frontend', flags: [...flags], contexts: contexts.length, aimed: 0 },
    ...{ differences: [...found.values()], byChance: [...chances].filter((flag) => !found.has(flag)) },
  }
}

type Ask = (address: string) => Promise<ReadonlyMap<string, string>>

/**
 * Returns true if a flag is random on both sides: each side gives several answers to the same context, and at least one
 * answer is common to both.
 */
async function isChance(flag: string, ask: Ask, { a, b }: Pair<string>): Promise<boolean> {
  const seen: Pair<Set<string | undefined>> = { a: new Set(), b: new Set() }
  for (let count = 0; count < (seen.a.size + seen.b.size > 2 ? MOST_REPEATS : REPEATS); count += 1) {
    seen.a.add((await ask(a)).get(flag))
    seen.b.add((await ask(b)).get(flag))
    const varies = seen.a.size > 1 && seen.b.size > 1
    if (varies && [...seen.a].some((answer) => seen.b.has(answer))) return true
  }
  return false
}

/** Returns the enabled flags by name, with variant and payload as one text. */
async function answersFor(url: URL, token: string): Promise<ReadonlyMap<string, string>> {
  const body = await downloadJson(url, { token, limitMs: LIMIT_MS })
  if (!isObject(body) || !Array.isArray(body.toggles)) throw new Error(`${shownAddress(url)} gives no answers`)
  const on = body.toggles.filter(isObject).filter(({ enabled }) => enabled !== false)
  return new Map(on.map(({ name, variant, impressionData }) => [String(name), answerText(variant, impressionData)]))
}

function answerText(variant: unknown, impressionData: unknown): string {
  const { name, enabled, payload } = isObject(variant) ? variant : {}
  const carried = isObject(payload) ? `, ${String(payload.type)} ${JSON.stringify(payload.value)}` : ''
  const chosen = enabled === true ? ` with variant ${String(name)}${carried}` : ''
  return `on${chosen}${impressionData === true ? ', with impressions' : ''}`
}

function frontendUrl(address: string, context: Context): URL {
  const url = apiUrl(address)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/frontend`
  const { properties = {}, ...direct } = context
  for (const [name, value] of Object.entries(direct)) url.searchParams.set(name, String(value))
  for (const [name, value] of Object.entries(properties)) url.searchParams.set(`properties[${name}]`, String(value))
  return url
}
