import type { FeatureImport } from '@burgee/protocol/administration/feature-transfer'
import type { Reader } from '@burgee/storage/database'
import { listGuardedEnvironments } from '@burgee/storage/queries/change-requests/change-request-settings'
import { type FeatureRow, listFeaturesByName } from '@burgee/storage/queries/flags/features'
import { listContextFields } from '@burgee/storage/queries/targeting/context-fields'
import { listSegments } from '@burgee/storage/queries/targeting/segments'
import { listStrategyTypes } from '@burgee/storage/queries/targeting/strategy-types'
import { listStrategiesInEnvironment } from '@burgee/storage/queries/transfer/feature-reads'
import { hasPermission, type Rights } from '../../core/access/rights/rights.ts'
import { compareImportedSegments, type ImportSegments } from './import-segments.ts'

/** State of the import target. */
export interface ImportTarget {
  /**
   * Existing flags with names from the document, keyed by name. Includes archived flags and flags of other projects.
   */
  readonly known: ReadonlyMap<string, FeatureRow>
  /** Flags with strategies in the environment, which the import would replace. */
  readonly withStrategies: ReadonlySet<string>
  readonly strategyTypes: ReadonlySet<string>
  /** Legal values of context fields, keyed by field name; empty if any value is allowed. */
  readonly legalValues: ReadonlyMap<string, readonly string[]>
  readonly segments: ImportSegments
  readonly tagTypes: ReadonlySet<string>
  /** True if the environment is protected, that is, changes in it require a change request. */
  readonly isGuarded: boolean
}

/**
 * Reads the state of the import target. Runs eight queries, and more for many flags. Treats flags of hidden projects as
 * missing. Only users who may create flags learn that the names are taken.
 */
export async function readImportTarget(reader: Reader, input: FeatureImport, actor: Rights): Promise<ImportTarget> {
  const { project, environment, data } = input
  const { hidden = [] } = actor
  const mayCreate = hasPermission(actor, 'CREATE_FEATURE', { project })
  const coming = new Set(data.features.map(({ name }) => name))
  const parents = (data.dependencies ?? []).flatMap(({ dependencies }) => dependencies.map(({ feature }) => feature))
  const all = await listFeaturesByName(reader, [...new Set([...coming, ...parents])])
  const rows = all.filter((row) => !hidden.includes(row.project) || (mayCreate && coming.has(row.name)))
  const changing = rows.filter((row) => row.project === project && row.archived_at === null && coming.has(row.name))
  const replaced = await listStrategiesInEnvironment(
    reader,
    changing.map(({ name }) => name),
    environment,
  )
  const tagTypes = await reader.selectFrom('tag_types').select('name').execute()
  const guarded = await listGuardedEnvironments(reader, [project])
  return {
    known: new Map(rows.map((row) => [row.name, row])),
    withStrategies: new Set(replaced.map((row) => row.feature_name)),
    strategyTypes: new Set((await listStrategyTypes(reader)).map(({ name }) => name)),
    legalValues: new Map(
      (await listContextFields(reader)).map(({ name, legal_values }) => [name, legal_values.map(({ value }) => value)]),
    ),
    segments: compareImportedSegments(input, await listSegments(reader), hidden),
    tagTypes: new Set(tagTypes.map(({ name }) => name)),
    isGuarded: guarded.some((place) => place.environment === environment),
  }
}
