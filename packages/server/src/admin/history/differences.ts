import type {
  EnvironmentSnapshot,
  FlagDifference,
  FlagHistoryPoint,
  FlagSnapshot,
} from '@burgee/protocol/administration/flag-history'
import { isSame } from './flag-snapshot.ts'

/** Returns how each part of a flag differs between two points in time at which its state is known. */
export function listDifferences(before: FlagHistoryPoint, after: FlagHistoryPoint): FlagDifference[] {
  if (before.flag === null || after.flag === null) {
    if (before.flag === after.flag) return []
    return [{ part: 'existence', before: before.flag !== null, after: after.flag !== null }]
  }
  return [
    ...compareDetails(before.flag, after.flag),
    ...compareEnvironments(before.flag, after.flag),
    ...pairById(before.segments, after.segments).map((pair): FlagDifference => ({ part: 'segment', ...pair })),
  ]
}

const PLAIN = ['project', 'description', 'type', 'impressionData', 'stale'] as const
const LISTS = ['dependencies', 'tags', 'links'] as const

function compareDetails(before: FlagSnapshot, after: FlagSnapshot): FlagDifference[] {
  const [was, is] = [before.archivedAt !== null, after.archivedAt !== null]
  return [
    ...[...PLAIN, ...LISTS].flatMap((part) => dropIfEqual({ part, before: before[part], after: after[part] })),
    ...dropIfEqual({ part: 'archived', before: was, after: is }),
  ]
}

function compareEnvironments(before: FlagSnapshot, after: FlagSnapshot): FlagDifference[] {
  const names = [...new Set([...after.environments, ...before.environments].map(({ name }) => name))]
  return names.flatMap((environment) => {
    const [was, is] = [findEnvironment(before, environment), findEnvironment(after, environment)]
    if (was === undefined || is === undefined) {
      return [{ part: 'environment' as const, environment, before: was ?? null, after: is ?? null }]
    }
    return compareEnvironment(was, is).map((one) => ({ ...one, environment }))
  })
}

function findEnvironment(flag: FlagSnapshot, environment: string): EnvironmentSnapshot | undefined {
  return flag.environments.find(({ name }) => name === environment)
}

/** Returns the differences between two states of an environment. */
export function compareEnvironment(before: EnvironmentSnapshot, after: EnvironmentSnapshot): FlagDifference[] {
  const order = (place: EnvironmentSnapshot, other: EnvironmentSnapshot) =>
    place.strategies.map(({ id }) => id).filter((id) => other.strategies.some((one) => one.id === id))
  return [
    ...dropIfEqual({ part: 'enabled', before: before.enabled, after: after.enabled }),
    ...pairById(before.strategies.map(withoutSortOrder), after.strategies.map(withoutSortOrder)).map(
      (pair): FlagDifference => ({ part: 'strategy', ...pair }),
    ),
    ...dropIfEqual({ part: 'strategyOrder', before: order(before, after), after: order(after, before) }),
    ...dropIfEqual({ part: 'variants', before: before.variants, after: after.variants }),
  ]
}

/** Drops the sort order, because the order of strategies is compared separately, by strategy ids. */
function withoutSortOrder({ sortOrder: _order, ...strategy }: EnvironmentSnapshot['strategies'][number]) {
  return strategy
}

function dropIfEqual(difference: FlagDifference): FlagDifference[] {
  return isSame(difference.before, difference.after) ? [] : [difference]
}

function pairById<T extends { readonly id: string | number }>(before: readonly T[], after: readonly T[]) {
  const ids = [...new Set([...before, ...after].map(({ id }) => id))]
  const pairs = ids.map((id) => ({
    before: before.find((one) => one.id === id) ?? null,
    after: after.find((one) => one.id === id) ?? null,
  }))
  return pairs.filter((pair) => !isSame(pair.before, pair.after))
}
