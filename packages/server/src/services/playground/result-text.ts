import type { Engine, Explanation } from '@burgee/engine'
import { flatText } from '@burgee/kit/flat-text'
import type { Combination } from './playground-contexts.ts'
import { StrategyText, variantDecision } from './strategy-text.ts'

/** A flag that is asked about. */
export interface Asked {
  readonly name: string
  readonly project: string
}

/** How results are written. */
export interface Form {
  /** What links begin with. */
  readonly basePath: string
  /** Without context and environment. */
  readonly isSimple: boolean
}

/** A combination in an environment, and how results show it. */
export interface Placed {
  readonly context: Combination['context']
  readonly text: string
}

/** The result of a flag for a context that is `within` the environment, as JSON of a `PlaygroundResult`. */
export type ResultText = (placed: Placed) => string

const known = new WeakMap<
  Engine,
  { readonly simple: Map<string, ResultText>; readonly full: Map<string, ResultText> }
>()

/** What was written of an engine's flags, by name: it goes when the engine does. */
export function writtenOf(engine: Engine, isSimple: boolean): Map<string, ResultText> {
  const own = known.get(engine) ?? { simple: new Map(), full: new Map() }
  known.set(engine, own)
  return isSimple ? own.simple : own.full
}

/** Explains a flag in an environment for any context. What does not depend on the context is written once. */
export function resultTextOf(
  flag: Asked,
  environment: string,
  engine: Engine,
  { basePath, isSimple }: Form,
): ResultText {
  const link = editLink(basePath, flag, environment)
  const place = isSimple ? '' : `,"environment":${JSON.stringify(environment)}`
  const names = `,"name":${JSON.stringify(flag.name)}${place},"projectId":${JSON.stringify(flag.project)},"strategies":{"result":`
  const own: StrategyText[] = []
  const begin = beginning()
  const middle = between(names)
  return ({ context, text: asked }) => {
    const why = engine.explain(flag.name, context)
    const { strategies } = why
    let data = ''
    for (let index = 0; index < strategies.length; index += 1) {
      const strategy = strategies[index] as (typeof strategies)[number]
      let text = own[index]
      if (text === undefined || !text.isOf(strategy)) {
        text = new StrategyText(strategy, link)
        own[index] = text
      }
      data += index === 0 ? text.textOf(strategy) : `,${text.textOf(strategy)}`
    }
    return `${begin(why)}${unsatisfied(why)}${asked}${middle(why)}${data}]}}`
  }
}

/** The parents that keep a flag off, by name. */
function unsatisfied({ hasUnsatisfiedDependency, dependencies }: Explanation): string {
  if (!hasUnsatisfiedDependency) return ''
  const named = dependencies.filter(({ satisfied, feature }) => !satisfied && feature !== undefined)
  return `,"unsatisfiedDependencies":${JSON.stringify(named.map(({ feature, reason }) => ({ feature, reason })))}`
}

/** Writes what stands between the context and the strategies, once for each result where no variant was decided. */
function between(names: string): (why: Explanation) => string {
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
    const text = `,"variants":${JSON.stringify(variants)}${variantDecision(why)}${names}${JSON.stringify(result)},"data":[`
    if (why.variantDecision === undefined) texts.set(result, flatText(text))
    return text
  }
}

/** Writes what a result begins with, once for each variant and its three answers. */
function beginning(): (why: Explanation) => string {
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
      flatText(
        `{"isEnabled":${isEnabled},"isEnabledInCurrentEnvironment":${enabledInEnvironment},"hasUnsatisfiedDependency":${hasUnsatisfiedDependency},"variant":${JSON.stringify({ ...variant, feature_enabled: isEnabled })},"feature_enabled":${isEnabled}`,
      )
    texts[place] = made
    return made
  }
}

/**
 * A context in an environment: the environment is the one that is asked for, whatever the context says, as it is the
 * token's for SDKs.
 */
export function within(environment: string, { context, shown }: Combination, isSimple: boolean): Placed {
  const placed = 'environment' in shown ? { ...shown, environment } : shown
  return {
    context: { ...context, environment },
    text: isSimple ? '' : flatText(`,"context":${JSON.stringify(placed)}`),
  }
}

/** Where people edit a strategy, as JSON. */
function editLink(basePath: string, { project, name }: Asked, environment: string): (id: string) => string {
  const page = `${basePath}/projects/${encodeURIComponent(project)}/features/${encodeURIComponent(name)}/strategies/edit`
  const start = `${page}?environmentId=${encodeURIComponent(environment)}&strategyId=`
  return (id) => JSON.stringify(`${start}${encodeURIComponent(id)}`)
}
