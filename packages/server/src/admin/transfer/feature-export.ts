import { invalid } from '@burgee/kit/input/refusals'
import type {
  ExportSelection,
  FeatureDocument,
  TransferredSegment,
} from '@burgee/protocol/administration/feature-transfer'
import type { Reader } from '@burgee/storage/database'
import { listFeaturesByName } from '@burgee/storage/queries/flags/features'
import { readTagsOfFeatures } from '@burgee/storage/queries/flags/tags'
import { listPrivateProjects } from '@burgee/storage/queries/projects/private-projects'
import { listContextFields } from '@burgee/storage/queries/targeting/context-fields'
import { listSegmentsByIds } from '@burgee/storage/queries/targeting/segments'
import {
  collectContextFields,
  listParentsOfFlags,
  listSelectedFeatures,
  listStatesInEnvironment,
  listStrategiesInEnvironment,
} from '@burgee/storage/queries/transfer/feature-reads'
import { filterVisible } from '../../core/access/rights/hidden-projects.ts'
import type { Change } from '../../core/execute.ts'
import { toAdminStrategy } from '../flags/feature-views.ts'
import { requireEnvironment } from '../projects/environments.ts'
import { isSegmentVisible } from '../targeting/segments.ts'

/**
 * Exports unarchived flags with their state in one environment, and all objects on which the flags depend. Runs eight
 * queries, and more for many flags. Throws ValidationError if nothing is selected, NotFoundError for an unknown
 * environment.
 */
export async function exportFeatures(
  reader: Reader,
  selection: ExportSelection,
  hidden: readonly string[] = [],
): Promise<FeatureDocument> {
  const { environment, features, project, tag } = selection
  if (features === undefined && project === undefined && tag === undefined) {
    throw invalid('One of the properties `features`, `project` and `tag` is required.', 'body')
  }
  await requireEnvironment(reader, environment)
  const rows = filterVisible(
    hidden,
    await listSelectedFeatures(reader, { features, project, tag }),
    (row) => row.project,
  )
  const names = rows.map(({ name }) => name)
  const strategies = await listStrategiesInEnvironment(reader, names, environment)
  const states = await listStatesInEnvironment(reader, names, environment)
  return {
    features: rows.map(({ name, description, type, project: own, stale, impression_data }) => ({
      name,
      description,
      type,
      project: own,
      stale: stale === 1,
      impressionData: impression_data === 1,
      archived: false,
    })),
    featureStrategies: strategies.map((row) => {
      const { sortOrder: _place, ...strategy } = toAdminStrategy(row)
      return { ...strategy, featureName: row.feature_name } as FeatureDocument['featureStrategies'][number]
    }),
    featureEnvironments: states.map(({ feature_name: name, enabled, variants }) => ({
      name,
      featureName: name,
      environment,
      enabled: enabled === 1,
      variants: variants as NonNullable<FeatureDocument['featureEnvironments']>[number]['variants'] & object,
    })),
    ...(await readMaterial(reader, names, { strategies, states })),
    segments: await readSegments(reader, strategies, { hidden, isWhole: selection.segmentDefinitions === true }),
    dependencies: await readDependencies(reader, names),
  }
}

interface ExportedParts {
  readonly strategies: Awaited<ReturnType<typeof listStrategiesInEnvironment>>
  readonly states: Awaited<ReturnType<typeof listStatesInEnvironment>>
}

/** Returns the tags, tag types and context fields that flags use. */
async function readMaterial(reader: Reader, names: readonly string[], { strategies, states }: ExportedParts) {
  const tags = [...(await readTagsOfFeatures(reader, names))].sort(([a], [b]) => (a < b ? -1 : 1))
  const featureTags = tags.flatMap(([featureName, own]) =>
    own.map(({ type, value }) => ({ featureName, tagType: type, tagValue: value })),
  )
  const types = new Set(featureTags.map(({ tagType }) => tagType))
  const tagTypes = await reader.selectFrom('tag_types').selectAll().orderBy('name').execute()
  const read = collectContextFields([...strategies, ...states])
  return {
    featureTags,
    tagTypes: tagTypes.filter(({ name }) => types.has(name)),
    contextFields: (await listContextFields(reader))
      .filter(({ name }) => read.has(name))
      .map(({ name, description, stickiness, sort_order, legal_values }) => ({
        name,
        description,
        stickiness: stickiness === 1,
        sortOrder: sort_order,
        legalValues: legal_values,
      })),
  }
}

/** Returns the segments that strategies use, with their definitions if `isWhole` is true. */
async function readSegments(
  reader: Reader,
  strategies: ExportedParts['strategies'],
  { hidden, isWhole }: { readonly hidden: readonly string[]; readonly isWhole: boolean },
): Promise<TransferredSegment[]> {
  const used = new Set(strategies.flatMap(({ segments }) => segments))
  return (
    await listSegmentsByIds(
      reader,
      [...used].sort((a, b) => a - b),
    )
  ).map((row) => {
    const { id, name, description, project, constraints } = row
    if (!isWhole || !isSegmentVisible(row, hidden)) return { id, name }
    return { id, name, description, project, constraints: constraints as TransferredSegment['constraints'] & object }
  })
}

async function readDependencies(reader: Reader, names: readonly string[]) {
  const rows = Map.groupBy(await listParentsOfFlags(reader, names), ({ child }) => child)
  return [...rows].map(([feature, own]) => ({
    feature,
    dependencies: own.map(({ parent, enabled, variants }) => ({ feature: parent, enabled: enabled === 1, variants })),
  }))
}

/**
 * Records that flags have been exported. The event contains the selection and the number of flags, not their content.
 * The event names only exported flags; names of flags in private projects appear only in events of that project. An
 * empty export creates no event.
 */
export const recordExport: Change<{ selection: ExportSelection; exported: readonly string[] }, void> = async (
  tx,
  { selection, exported },
) => {
  if (exported.length === 0) return { result: undefined, events: [] }
  const { environment, features, project, tag } = selection
  const data = {
    environment,
    count: exported.length,
    ...(features === undefined ? {} : { features: await filterPublicNames(tx, exported, project) }),
    ...(project === undefined ? {} : { project }),
    ...(tag === undefined ? {} : { tag }),
  }
  return { result: undefined, events: [{ type: 'features-exported', environment, project, data }] }
}

async function filterPublicNames(
  reader: Reader,
  names: readonly string[],
  project: string | undefined,
): Promise<string[]> {
  const secret = (await listPrivateProjects(reader)).filter((id) => id !== project)
  if (secret.length === 0) return [...names]
  const hidden = new Set(
    (await listFeaturesByName(reader, names)).filter((row) => secret.includes(row.project)).map(({ name }) => name),
  )
  return names.filter((name) => !hidden.has(name))
}
