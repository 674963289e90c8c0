import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'
import type { FeatureRow } from './features.ts'

const DAY_MS = 86_400_000

/** Flag type and the expected lifetime of flags of this type. */
export interface Lifetime {
  readonly type: string
  readonly days: number
}

/** Returns the flag types with an expected lifetime. */
export async function listLifetimes(reader: Reader): Promise<Lifetime[]> {
  const rows = await reader.selectFrom('feature_types').select(['id', 'lifetime_days']).execute()
  return rows.flatMap(({ id, lifetime_days: days }) => (days === null ? [] : [{ type: id, days }]))
}

/**
 * SQL condition that is true for flags that have exceeded the expected lifetime of their type. False for flags of a
 * type without an expected lifetime.
 */
export function isOverdue(
  { eb, and, or }: ExpressionBuilder<Schema, 'features'>,
  lives: readonly Lifetime[],
  now: number,
): Expression<SqlBool> {
  return or(lives.map(({ type, days }) => and([eb('type', '=', type), eb('created_at', '<', now - days * DAY_MS)])))
}

/**
 * Returns flags that have exceeded their expected lifetime but are not yet marked as potentially stale, oldest first.
 * Skips stale and archived flags.
 */
export async function listUnmarkedOverdue(reader: Reader, now: number, limit: number): Promise<FeatureRow[]> {
  const lives = await listLifetimes(reader)
  return reader
    .selectFrom('features')
    .selectAll()
    .where('archived_at', 'is', null)
    .where('stale', '=', 0)
    .where('potentially_stale', '=', 0)
    .where((builder) => isOverdue(builder, lives, now))
    .orderBy('created_at')
    .orderBy('name')
    .limit(limit)
    .execute()
}

/**
 * Returns flags that are marked as potentially stale but no longer exceed their expected lifetime, because their type
 * or its lifetime has changed.
 */
export async function listWronglyMarked(reader: Reader, now: number, limit: number): Promise<string[]> {
  const lives = await listLifetimes(reader)
  const rows = await reader
    .selectFrom('features')
    .select('name')
    .where('potentially_stale', '=', 1)
    .where((builder) => builder.not(isOverdue(builder, lives, now)))
    .limit(limit)
    .execute()
  return rows.map((row) => row.name)
}

/** Marks flags as potentially stale, or removes the mark. */
export async function markOverdue(tx: Tx, names: readonly string[], isMarked: boolean): Promise<void> {
  for (const part of chunks(names)) {
    const potentially_stale = Number(isMarked)
    await tx.updateTable('features').set({ potentially_stale }).where('name', 'in', part).execute()
  }
}
