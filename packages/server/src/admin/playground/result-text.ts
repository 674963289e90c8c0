import type { Engine, Explanation } from '@burgee/engine'
import { flattenText } from '@burgee/kit/flat-text'
import type { Combination } from './playground-contexts.ts'
import { formatVariantDecision, StrategyText } from './strategy-text.ts'

/** Requested flag. */
export interface RequestedFlag {
  readonly name: string
  readonly project: string
}

/** Format of results. */
export interface Form {
  /** Prefix of links. */
  readonly basePath: string
  /** True to omit context and environment. */
  readonly isSimple: boolean
}

/** Context to evaluate in an environment, and its JSON for the results. */
export interface PlacedContext {
  readonly context: Combination['context']
  readonly text: string
}

/** Returns the result of a flag for a context from `within`, as the JSON of a `PlaygroundResult`. */
export type ResultText = (placed: PlacedContext) => string

const textCaches = new WeakMap<
  Engine,
  { readonly simple: Map<string, ResultText>; readonly full: Map<string, ResultText> }
>()

/**
 * Returns the cached text functions of an engine, keyed by flag name. The cache is garbage-collected together with the
 * engine.
 */
export function getTextCache(engine: Engine, isSimple: boolean): Map<string, ResultText> {
  const own = textCaches.get(engine) ?? { simple: new Map(), full: new Map() }
  textCaches.set(engine, own)
  return isSimple ? own.simple : own.full
}

/**
 * Creates a function that explains a flag in an environment for any context. Context-independent text is built once.
 */
export function createResultText(
  flag: RequestedFlag,
  environment: string,
  engine: Engine,
  { basePath, isSimple }: Form,
): ResultText {
  const link = createEditLinks(basePath, flag, environment)
  const place = isSimple ? '' : `,"environment":${JSON.stringify(environment)}`
  const names = `,"name":${JSON.stringify(flag.name)}${place},"projectId":${JSON.stringify(flag.project)},"strategies":{"result":`
  const own: StrategyText[] = []
  const begin = createStartWriter()
  const middle = createMiddleWriter(names)
  return ({ context, text: requested }) => {
    const why = engine.explain(flag.name, context)
    const { strategies } = why
    let data = ''
    for (let index = 0; index < strategies.length; index += 1) {
      const strategy = strategies[index] as (typeof strategies)[number]
      let text = own[index]
      if (text === undefined || !text.isSameStrategy(strategy)) {
        text = new StrategyText(strategy, link)
        own[index] = text
      }
      data += index === 0 ? text.format(strategy) : `,${text.format(strategy)}`
    }
    return `${begin(why)}${formatUnsatisfied(why)}${requested}${middle(why)}${data}]}}`
  }
}

/** Serializes the unsatisfied parents of a flag. */
function formatUnsatisfied({ hasUnsatisfiedDependency, dependencies }: Explanation): string {
  if (!hasUnsatisfiedDependency) return ''
  const named = dependencies.filter(({ satisfied, feature }) => !satisfied && feature !== undefined)
  return `,"unsatisfiedDependencies":${JSON.stringify(named.map(({ feature, reason }) => ({ feature, reason })))}`
}

/**
 * Returns a function that serializes the part of a result between the context and the strategies. The text is cached by
 * result unless there is a variant decision.
 */
function createMiddleWriter(names: string): (why: Explanation) => string {
  const texts = new Map<unknown, string>()
  let last: unknown
  return (why) => {
    const { result, variants } = why
    if (variants !== last) {
      last = variants
      texts.clear()
    }
    const known = why.variantDecision === undefined ? texts.get(result) : undefined
    if (known !== undefined) return known
    const text = `,"variants":${JSON.stringify(variants)}${formatVariantDecision(why)}${names}${JSON.stringify(result)},"data":[`
    if (why.variantDecision === undefined) texts.set(result, flattenText(text))
    return text
  }
}

/**
 * Returns a function that serializes the first properties of a result. The text is cached by variant, `isEnabled`,
 * `enabledInEnvironment` and `hasUnsatisfiedDependency`.
 */
function createStartWriter(): (why: Explanation) => string {
  let texts: string[] = []
  let last: unknown
  return ({ isEnabled, enabledInEnvironment, hasUnsatisfiedDependency, variant }) => {
    if (variant !== last) {
      last = variant
      texts = []
    }
    const place = (isEnabled ? 1 : 0) + (enabledInEnvironment ? 2 : 0) + (hasUnsatisfiedDependency ? 4 : 0)
    const made =
      texts[place] ??
      flattenText(
        `{"isEnabled":${isEnabled},"isEnabledInCurrentEnvironment":${enabledInEnvironment},"hasUnsatisfiedDependency":${hasUnsatisfiedDependency},"variant":${JSON.stringify({ ...variant, feature_enabled: isEnabled })},"feature_enabled":${isEnabled}`,
      )
    texts[place] = made
    return made
  }
}

/**
 * Returns a context with the requested environment. The requested environment overrides one that the context contains,
 * as the environment of an SDK's token does.
 */
export function placeInEnvironment(
  environment: string,
  { context, shown }: Combination,
  isSimple: boolean,
): PlacedContext {
  const placed = 'environment' in shown ? { ...shown, environment } : shown
  return {
    context: { ...context, environment },
    text: isSimple ? '' : flattenText(`,"context":${JSON.stringify(placed)}`),
  }
}

/** Returns a function that converts a strategy id to the edit link of the strategy, as JSON. */
function createEditLinks(
  basePath: string,
  { project, name }: RequestedFlag,
  environment: string,
): (id: string) => string {
  const page = `${basePath}/projects/${encodeURIComponent(project)}/features/${encodeURIComponent(name)}/strategies/edit`
  const start = `${page}?environmentId=${encodeURIComponent(environment)}&strategyId=`
  return (id) => JSON.stringify(`${start}${encodeURIComponent(id)}`)
}
