import type { Engine } from '@burgee/engine'
import type { Content } from '@burgee/kit/http/content'
import { invalid } from '@burgee/kit/input/refusals'
import { createKeyedMutex } from '@burgee/kit/keyed-mutex'
import { runInSlices } from '@burgee/kit/slices'
import type { PlaygroundRequest, SimplePlaygroundRequest } from '@burgee/protocol/playground'
import { requireStorable } from '@burgee/storage/errors'
import type { Catalog } from '../catalog/catalog.ts'
import type { CatalogFlag } from '../catalog/catalog-flag.ts'
import { BY_NAME } from '../catalog/flag-table.ts'
import { AnswerContents } from './answer-content.ts'
import type { ExplainEngines } from './explain-engines.ts'
import { type Combinations, createCombinations } from './playground-contexts.ts'
import {
  createResultText,
  type Form,
  getTextCache,
  type PlacedContext,
  placeInEnvironment,
  type RequestedFlag,
  type ResultText,
} from './result-text.ts'

/**
 * Evaluates flags for a context and explains the results, as response bodies. Both methods reject with ValidationError
 * for an invalid request.
 */
export interface Playground {
  /**
   * Returns a `PlaygroundResponse`: every flag of the projects in every environment, for every context in the request.
   * `unknownFlags` are listed in the warnings of the response. Source: spec "Playground response".
   */
  advanced(request: PlaygroundRequest, asker: PlaygroundCaller, unknownFlags?: readonly unknown[]): Promise<Content>
  /**
   * Returns a `SimplePlaygroundResponse`: every flag in one environment, for the context as given (comma-separated
   * values are not split).
   */
  simple(request: SimplePlaygroundRequest, asker: PlaygroundCaller): Promise<Content>
}

/** Caller of the playground. */
export interface PlaygroundCaller {
  /** Ids of projects that are hidden from the caller. */
  readonly hidden?: readonly string[] | undefined
  /** Prefix of links. */
  readonly basePath: string
  /** Returns true if the caller has disconnected. */
  readonly isGone: () => boolean
}

/** Thrown if the caller has disconnected. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone'
}

/** Dependencies of the playground. */
export interface PlaygroundSources {
  readonly catalog: Pick<Catalog, 'flags'>
  readonly engines: ExplainEngines
}

/** Maximum number of results: ten thousand flags in five environments, for two contexts. */
const MAX_RESULTS = 100_000
/**
 * Maximum size of a response. The whole response is in memory before it is sent, and twice while its parts are joined.
 */
const MAX_CHARACTERS = 64 * 1024 * 1024
/** Maximum size of the contexts of all environments. The contexts are in memory while flags are evaluated. */
const MAX_CONTEXT_CHARACTERS = 16 * 1024 * 1024
/** Number of results above which responses are built one at a time. */
const SERIALIZED_FROM_RESULTS = 2000
/**
 * Total length of the contexts, in characters, above which responses are built one at a time, because each result
 * repeats its context.
 */
const SERIALIZED_FROM_CHARACTERS = 1024 * 1024
/** Approximate size of the pieces of a response. */
const PIECE_CHARACTERS = 8192

/**
 * Creates a playground that evaluates in memory, in slices so that other work can run. Large responses are built one at
 * a time.
 *
 * @param mostCharacters maximum size of a response; larger ones are rejected
 */
export function createPlayground(
  { catalog, engines }: PlaygroundSources,
  mostCharacters: number = MAX_CHARACTERS,
): Playground {
  const inTurn = createKeyedMutex<'large'>()
  const contents = new AnswerContents()
  const answer = async (
    wanted: ParsedRequest,
    { isGone, hidden }: PlaygroundCaller,
    body: (results: Results) => Iterable<string>,
  ) => {
    requireStorable([...(wanted.projects ?? []), ...(wanted.features ?? [])])
    const moment = await catalog.flags()
    const flags = selectFlags(moment.table.sorted(false, 'name asc', BY_NAME), wanted, hidden)
    const results = countResults(wanted, flags)
    const { isSimple } = wanted
    const contextCharacters = isSimple ? 0 : wanted.combinations.characters * wanted.environments.length
    requireSmallContexts(contextCharacters)
    // each result repeats its context
    const repeatedCharacters = contextCharacters * flags.length
    requireShort(repeatedCharacters, mostCharacters)
    const make = async () => {
      if (isGone()) throw new CallerGone()
      const places = flags.length === 0 ? new Map() : await openEnvironments(engines, wanted, moment)
      return runInSlices(contents.join(limitOutput(body({ flags, environments: places }), mostCharacters, isGone)))
    }
    const isLarge = results > SERIALIZED_FROM_RESULTS || repeatedCharacters > SERIALIZED_FROM_CHARACTERS
    return isLarge ? inTurn('large', make) : make()
  }
  return {
    advanced(request, asker, unknownFlags = []) {
      const { environments, projects, features } = request
      const combinations = createCombinations(request.context, true)
      const wanted = {
        environments,
        projects: projects === '*' ? undefined : projects,
        features,
        combinations,
        isSimple: false,
      }
      return answer(wanted, asker, (results) =>
        buildAdvancedBody(request, results, formatWarnings(combinations, unknownFlags), asker.basePath),
      )
    },
    simple(request, asker) {
      const { environment, projects } = request
      const combinations = createCombinations(request.context, false)
      const wanted = {
        environments: [environment],
        projects: projects === '*' ? undefined : projects,
        combinations,
        isSimple: true,
      }
      return answer(wanted, asker, (results) =>
        buildSimpleBody(request, results, formatWarnings(combinations), asker.basePath),
      )
    },
  }
}

/** Parsed request. */
interface ParsedRequest {
  readonly environments: readonly string[]
  /** Ids of the projects; undefined means all projects. */
  readonly projects: readonly string[] | undefined
  /** Names of flags; undefined for all flags of the projects. */
  readonly features?: readonly string[] | undefined
  readonly combinations: Combinations
  readonly isSimple: boolean
}

/** Environment with its contexts. */
interface EvaluatedEnvironment {
  readonly name: string
  readonly engine: Engine
  readonly contexts: readonly PlacedContext[]
  readonly written: Map<string, ResultText>
}

interface Results {
  readonly flags: readonly RequestedFlag[]
  readonly environments: ReadonlyMap<string, EvaluatedEnvironment>
}

/** Opens the engine of each requested environment, and creates the contexts for it. */
async function openEnvironments(
  engines: ExplainEngines,
  { combinations, environments, isSimple }: ParsedRequest,
  moment: Awaited<ReturnType<Catalog['flags']>>,
): Promise<Map<string, EvaluatedEnvironment>> {
  const contexts = combinations.make()
  const opened = new Map<string, EvaluatedEnvironment>()
  for (const name of new Set(environments)) {
    const own = contexts.map((one) => placeInEnvironment(name, one, isSimple))
    const engine = await engines.getEngine(name, moment)
    opened.set(name, { name, engine, contexts: own, written: getTextCache(engine, isSimple) })
  }
  return opened
}

function selectFlags(
  live: readonly CatalogFlag[],
  { projects, features }: Pick<ParsedRequest, 'projects' | 'features'>,
  hidden: readonly string[] = [],
): RequestedFlag[] {
  const named = features === undefined ? live : live.filter(({ name }) => features.includes(name))
  const wanted = projects === undefined ? named : named.filter(({ row }) => projects.includes(row.project))
  const own = hidden.length === 0 ? wanted : wanted.filter(({ row }) => !hidden.includes(row.project))
  return own.map(({ name, row }) => ({ name, project: row.project }))
}

/** Returns the number of results. Throws ValidationError if there would be too many results. */
function countResults(
  { environments, combinations: { count } }: ParsedRequest,
  flags: readonly RequestedFlag[],
): number {
  const total = environments.length * flags.length * count
  if (total <= MAX_RESULTS) return total
  const factors = `${environments.length} environments × ${flags.length} flags × ${count} combinations of context values`
  throw invalid(`${factors} make ${total} evaluations; the maximum per request is ${MAX_RESULTS}.`, 'body')
}

/** Throws ValidationError if the contexts of all environments are too large in total. */
function requireSmallContexts(characters: number): void {
  if (characters <= MAX_CONTEXT_CHARACTERS) return
  const limit = `at most ${MAX_CONTEXT_CHARACTERS} are possible`
  throw invalid(`The contexts of all environments have ${characters} characters; ${limit}.`, 'context')
}

/** Throws ValidationError if a response would be longer than the limit. */
function requireShort(characters: number, most: number): void {
  if (characters <= most) return
  throw invalid(`The response would be longer than ${most} characters: request fewer flags or contexts.`, 'body')
}

/** Yields the given pieces. Throws if the response becomes too long or the caller has disconnected. */
function* limitOutput(pieces: Iterable<string>, most: number, isGone: () => boolean): Generator<string> {
  let characters = 0
  for (const piece of pieces) {
    characters += piece.length
    requireShort(characters, most)
    if (isGone()) throw new CallerGone()
    yield piece
  }
}

function* buildAdvancedBody(
  request: PlaygroundRequest,
  { flags, environments: places }: Results,
  warnings: string,
  basePath: string,
): Generator<string> {
  // environment names without duplicates, in the order of the properties of the result; if an environment is requested
  // twice, each of its results appears twice
  const names = Object.keys(Object.fromEntries(request.environments.map((name) => [name, true])))
  const times = new Map(names.map((name) => [name, request.environments.filter((one) => one === name).length]))
  const form = { basePath, isSimple: false }
  const beginnings = names.map((name, order) => `${order === 0 ? '' : ','}${JSON.stringify(name)}:[`)
  let text = '{"features":['
  for (const [index, flag] of flags.entries()) {
    text += `${index === 0 ? '' : ','}{"name":${JSON.stringify(flag.name)},"projectId":${JSON.stringify(flag.project)},"environments":{`
    for (const [order, environment] of names.entries()) {
      text += beginnings[order]
      text = yield* withResults(text, flag, places.get(environment), form, times.get(environment))
      text += ']'
    }
    text += '}}'
  }
  yield text
  yield `],"input":${JSON.stringify(request)}${warnings}}`
}

function* buildSimpleBody(
  request: SimplePlaygroundRequest,
  { flags, environments: places }: Results,
  warnings: string,
  basePath: string,
): Generator<string> {
  yield `{"input":${JSON.stringify(request)},"features":[`
  const place = places.get(request.environment)
  const form = { basePath, isSimple: true }
  for (const [index, flag] of flags.entries()) {
    yield yield* withResults(index > 0 ? ',' : '', flag, place, form)
  }
  yield `]${warnings}}`
}

/** Appends the results of a flag to a text; whenever the text becomes long, yields it in pieces; returns the rest. */
function* withResults(
  before: string,
  flag: RequestedFlag,
  place: EvaluatedEnvironment | undefined,
  form: Form,
  times = 1,
): Generator<string, string> {
  if (place === undefined) return before
  const { name: environment, engine, contexts, written } = place
  const result = written.get(flag.name) ?? createResultText(flag, environment, engine, form)
  written.set(flag.name, result)
  let text = before
  let between = ''
  for (let time = 0; time < times; time += 1) {
    for (const context of contexts) {
      text += between + result(context)
      between = ','
      if (text.length < PIECE_CHARACTERS) continue
      yield text
      text = ''
    }
  }
  return text
}

function formatWarnings({ invalid: names }: Combinations, unknownFlags: readonly unknown[] = []): string {
  const warnings = {
    ...(names.length === 0 ? {} : { invalidContextProperties: names }),
    ...(unknownFlags.length === 0 ? {} : { unknownFlags }),
  }
  return Object.keys(warnings).length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`
}
