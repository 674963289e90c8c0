import type {
  EnvironmentThen,
  FlagDifference,
  FlagMoment,
  FlagThen,
} from '@burgee/protocol/administration/flag-history'
import { isSame } from './flag-then.ts'

/** Returns the differences of a flag between two moments at which its state is known, part by part. */
export function differencesOf(before: FlagMoment, after: FlagMoment): FlagDifference[] {
  if (before.flag === null || after.flag === null) {
    if (before.flag === after.flag) return []
    return [{ part: 'existence', before: before.flag !== null, after: after.flag !== null }]
  }
  return [
    ...ofFlag(before.flag, after.flag),
    ...ofPlaces(before.flag, after.flag),
    ...inLists(before.segments, after.segments).map((pair): FlagDifference => ({ part: 'segment', ...pair })),
  ]
}

const PLAIN = ['project', 'description', 'type', 'impressionData', 'stale'] as const
const LISTS = ['dependencies', 'tags', 'links'] as const

function ofFlag(before: FlagThen, after: FlagThen): FlagDifference[] {
  const [was, is] = [before.archivedAt !== null, after.archivedAt !== null]
  return [
    ...[...PLAIN, ...LISTS].flatMap((part) => differing({ part, before: before[part], after: after[part] })),
    ...differing({ part: 'archived', before: was, after: is }),
  ]
}

function ofPlaces(before: FlagThen, after: FlagThen): FlagDifference[] {
  const names = [...new Set([...after.environments, ...before.environments].map(({ name }) => name))]
  return names.flatMap((environment) => {
    const [was, is] = [placeOf(before, environment), placeOf(after, environment)]
    if (was === undefined || is === undefined) {
      return [{ part: 'environment' as const, environment, before: was ?? null, after: is ?? null }]
    }
    return differencesIn(was, is).map((one) => ({ ...one, environment }))
  })
}

function placeOf(flag: FlagThen, environment: string): EnvironmentThen | undefined {
  return flag.environments.find(({ name }) => name === environment)
}

/** Returns the differences between two states of an environment. */
export function differencesIn(before: EnvironmentThen, after: EnvironmentThen): FlagDifference[] {
  const order = (place: EnvironmentThen, other: EnvironmentThen) =>
    place.strategies.map(({ id }) => id).filter((id) => other.strategies.some((one) => one.id === id))
  return [
    ...differing({ part: 'enabled', before: before.enabled, after: after.enabled }),
    ...inLists(before.strategies.map(unnumbered), after.strategies.map(unnumbered)).map(
      (pair): FlagDifference => ({ part: 'strategy', ...pair }),
    ),
    ...differing({ part: 'strategyOrder', before: order(before, after), after: order(after, before) }),
    ...differing({ part: 'variants', before: before.variants, after: after.variants }),
  ]
}

/** Drops the sort order, because the order of strategies is compared separately, by their ids. */
function unnumbered({ sortOrder: _order, ...strategy }: EnvironmentThen['strategies'][number]) {
  return strategy
}

function differing(difference: FlagDifference): FlagDifference[] {
  return isSame(difference.before, difference.after) ? [] : [difference]
}

function inLists<T extends { readonly id: string | number }>(before: readonly T[], after: readonly T[]) {
  const ids = [...new Set([...before, ...after].map(({ id }) => id))]
  const pairs = ids.map((id) => ({
    before: before.find((one) => one.id === id) ?? null,
    after: after.find((one) => one.id === id) ?? null,
  }))
  return pairs.filter((pair) => !isSame(pair.before, pair.after))
}
