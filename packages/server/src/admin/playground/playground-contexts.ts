import type { Context } from '@burgee/protocol/context'
import type { PlaygroundContext } from '@burgee/protocol/playground'

/** Context to evaluate, and the flattened form of that context for results. */
export interface Combination {
  readonly context: Context
  readonly shown: { readonly appName: string } & Readonly<Record<string, string>>
}

/** Contexts into which one context of a request expands. */
export interface Combinations {
  /** Number of contexts. The contexts are built one by one, because there can be too many of them to hold in memory. */
  readonly count: number
  /** Total number of characters of the values of all contexts, as JSON. */
  readonly characters: number
  /** Top-level context fields whose value is not a string; they are not evaluated. */
  readonly invalid: readonly string[]
  make(): Combination[]
}

interface Axis {
  readonly name: string
  readonly isProperty: boolean
  readonly values: readonly string[]
}

const APP_NAME = 'appName'
const TIME = 'currentTime'

/**
 * Returns every combination of the comma-separated values of a context. The values of the first field change slowest,
 * those of `appName` fastest. If `split` is false, values are not split. Source: spec "Playground request", "context".
 */
export function createCombinations(context: PlaygroundContext, split: boolean): Combinations {
  const { properties = {}, ...top } = context
  const invalid = Object.entries(top)
    .filter(([, value]) => typeof value !== 'string')
    .map(([name]) => name)
  const axes = [
    ...toAxes(properties, true, split),
    ...toAxes(top, false, split).sort((a, b) => Number(a.name === APP_NAME) - Number(b.name === APP_NAME)),
  ]
  const count = axes.reduce((product, axis) => product * axis.values.length, 1)
  return {
    count,
    characters: axes.reduce((sum, { values }) => sum + (count / values.length) * countCharacters(values), 0),
    invalid,
    make: () => buildProduct(axes).map((values) => toCombination(axes, values)),
  }
}

function countCharacters(values: readonly string[]): number {
  return values.reduce((sum, value) => sum + JSON.stringify(value).length, 0)
}

function toAxes(fields: Readonly<Record<string, unknown>>, isProperty: boolean, split: boolean): Axis[] {
  return Object.entries(fields)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .map(([name, value]) => ({ name, isProperty, values: split ? splitValues(name, value) : [value] }))
}

/** Splits a value without trimming, because blanks are significant. Empty values of `appName` are dropped. */
function splitValues(name: string, value: string): readonly string[] {
  if (name === TIME) return [value]
  const values = value.split(',')
  if (name !== APP_NAME) return values
  const named = values.filter((one) => one !== '')
  return named.length === 0 ? [value] : named
}

function buildProduct(axes: readonly Axis[]): string[][] {
  let rows: string[][] = [[]]
  for (const axis of axes) rows = rows.flatMap((row) => axis.values.map((value) => [...row, value]))
  return rows
}

function toCombination(axes: readonly Axis[], values: readonly string[]): Combination {
  const fields = axes.map((axis, index): [Axis, string] => [axis, values[index] ?? ''])
  const entries = (isProperty: boolean) =>
    fields
      .filter(([axis]) => axis.isProperty === isProperty)
      .map(([{ name }, value]): [string, string] => [name, value])
  const properties = Object.fromEntries(entries(true))
  const top = Object.fromEntries(entries(false))
  const { appName = '', ...rest } = { ...properties, ...top }
  return { context: { ...top, properties }, shown: { ...rest, appName } }
}
