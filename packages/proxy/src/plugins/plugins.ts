import module from 'node:module'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { types } from 'node:util'
import type { CustomStrategy } from '@burgee/engine'
import { list, type Parser } from '@burgee/kit/options/parsers'
import type { Enricher } from '@burgee/serving/evaluation/enrichers'

/** Code that operators supply. */
export interface Plugins {
  readonly strategies: readonly CustomStrategy[]
  readonly enrichers: readonly Enricher[]
}

/**
 * Parses a list of file paths, given as an array or separated by commas. In code, an item can also be the exported
 * object itself.
 */
export const pluginList: Parser<readonly unknown[]> = {
  expects: 'a list of file paths',
  parse: (value) => (Array.isArray(value) ? value : list.parse(value)),
}

const SDK_NAME = 'unleash-client'
const SHIM_URL = new URL(`./unleash-client-shim${extname(import.meta.url)}`, import.meta.url).href

/** Options that contain plugins. */
export type PluginOptions = Readonly<Record<'customStrategies' | 'expCustomEnrichers', readonly unknown[]>>

/**
 * Loads custom strategies and enrichers. Each item is an object, or the path of a CommonJS or ES module, absolute or
 * relative to the working directory. A module exports an array, as `module.exports` or default export. Throws an Error
 * for any other value; the error names the option (by `sourceOf`), the file and the position.
 */
export async function loadPlugins(
  options: PluginOptions,
  sourceOf: (option: keyof PluginOptions) => string,
): Promise<Plugins> {
  const load = async <T>(option: keyof PluginOptions, read: (item: unknown, where: string) => T): Promise<T[]> => {
    try {
      return (await expandItems(options[option])).map(({ item, where }) => read(item, where))
    } catch (error) {
      throw new Error(`${sourceOf(option)}: ${(error as Error).message}`, { cause: error })
    }
  }
  const strategies = await load('customStrategies', toStrategy)
  return { strategies, enrichers: await load('expCustomEnrichers', toEnricher) }
}

function toEnricher(item: unknown, where: string): Enricher {
  if (typeof item !== 'function') throw new Error(`${where} is not a function (context) => context`)
  return item as Enricher
}

interface Item {
  readonly item: unknown
  /** File, and position of the item in it, for error messages. */
  readonly where: string
}

async function expandItems(given: readonly unknown[]): Promise<Item[]> {
  const lists = await Promise.all(
    given.map(async (entry, index): Promise<Item[]> => {
      if (typeof entry !== 'string') return [{ item: entry, where: `item ${index} given in code` }]
      const exported = await loadFile(entry)
      if (!Array.isArray(exported)) throw new Error(`${entry} must export an array`)
      return exported.map((item: unknown, position) => ({ item, where: `item ${position} of ${entry}` }))
    }),
  )
  return lists.flat()
}

async function loadFile(path: string): Promise<unknown> {
  const url = pathToFileURL(resolve(path)).href
  const hooks = resolveSdkName()
  try {
    const module = (await import(url)) as Record<string, unknown>
    return module.default ?? module['module.exports']
  } catch (error) {
    throw new Error(`Cannot load ${path}: ${describeError(error)}`, { cause: error })
  } finally {
    hooks.deregister()
  }
}

/**
 * Formats an error as a single line. For a syntax error, the line includes the file and line number if the platform
 * reports them.
 */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [reason = ''] = error.message.split('\n', 1)
  const place = /^\S.*:\d+$/.exec(error.stack?.split('\n', 1)[0] ?? '')
  return place === null ? reason : `${reason} (${place[0]})`
}

/**
 * If the SDK is not installed, redirects imports of it in files with custom strategies to a shim. Node before 22.15
 * lacks the necessary hooks, so the SDK must be installed there.
 */
function resolveSdkName(): { deregister(): void } {
  if (typeof module.registerHooks !== 'function') return { deregister: () => {} }
  return module.registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier !== SDK_NAME) return next(specifier, context)
      try {
        return next(specifier, context)
      } catch {
        return { url: SHIM_URL, shortCircuit: true }
      }
    },
  })
}

interface StrategyLike {
  readonly name?: unknown
  readonly isEnabled?: unknown
  readonly getResult?: unknown
}

/**
 * Converts a strategy that has one of the two forms of the Unleash SDK: `isEnabled`, or `getResult`, which returns
 * `{enabled}`.
 */
function toStrategy(item: unknown, where: string): CustomStrategy {
  const { name, isEnabled, getResult } = (typeof item === 'object' && item !== null ? item : {}) as StrategyLike
  if (typeof name !== 'string' || name === '') throw new Error(`${where} is not a strategy: it has no name`)
  if (typeof isEnabled === 'function') {
    return {
      name,
      isEnabled: (parameters, context) => ignoreRejection(isEnabled.call(item, parameters, context)) as boolean,
    }
  }
  if (typeof getResult !== 'function') throw new Error(`${where} ("${name}") is not a strategy: it has no isEnabled`)
  return {
    name,
    isEnabled: (parameters, context) => {
      const result = ignoreRejection(getResult.call(item, parameters, context, [], undefined))
      return (result as { enabled?: unknown } | undefined)?.enabled as boolean
    },
  }
}

/**
 * Returns the result unchanged, except that a promise counts as false. If the promise rejects, handles the rejection,
 * which must not crash the process.
 */
function ignoreRejection(answer: unknown): unknown {
  if (types.isPromise(answer)) answer.catch(() => {})
  return answer
}
