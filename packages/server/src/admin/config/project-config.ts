import { compareText } from '@burgee/kit/compare-text'
import type { Tag } from '@burgee/protocol/event'
import type { Reader } from '@burgee/storage/database'
import { type FeatureRow, listProjectEnvironmentNames } from '@burgee/storage/queries/flags/features'
import type { DependencyRow } from '@burgee/storage/queries/flags/flag-records'
import { listTagTypeNames, readTagsOfFeatures } from '@burgee/storage/queries/flags/tags'
import { listTemplates, type TemplateRow } from '@burgee/storage/queries/releases/release-templates'
import { type ContextFieldRow, listContextFields } from '@burgee/storage/queries/targeting/context-fields'
import { listSegments, type SegmentRow } from '@burgee/storage/queries/targeting/segments'
import { listStrategyTypes } from '@burgee/storage/queries/targeting/strategy-types'
import { type ConfiguredPlan, listPlansOfProject } from '@burgee/storage/queries/transfer/config-reads'
import { listParentsOfFlags, listSelectedFeatures } from '@burgee/storage/queries/transfer/feature-reads'
import { readStates, type StateRows } from '../promotion/flag-states.ts'
import { isSegmentVisible } from '../targeting/segments.ts'

/** State of a flag in one environment: its own strategies, and its release plan. */
export interface StoredEnvironment extends StateRows {
  readonly plan: (ConfiguredPlan & { readonly template: string }) | undefined
}

/** Flag with everything that its file describes. */
export interface StoredFlag {
  readonly row: FeatureRow
  readonly tags: readonly Tag[]
  readonly parents: readonly DependencyRow[]
  readonly environments: ReadonlyMap<string, StoredEnvironment>
}

/** A project's unarchived flags, and the objects that these flags can use. */
export interface ProjectConfig {
  readonly project: string
  /** Environments of the project. */
  readonly environments: readonly string[]
  readonly flags: ReadonlyMap<string, StoredFlag>
  /** Segments that the caller may see. */
  readonly segments: readonly SegmentRow[]
  readonly fields: readonly ContextFieldRow[]
  /** Release templates that are not archived. */
  readonly templates: readonly TemplateRow[]
  /** Names of strategy types. */
  readonly strategyTypes: ReadonlySet<string>
  /** Names of tag types. */
  readonly tagTypes: ReadonlySet<string>
}

/**
 * Reads the state of a project. The number of queries grows slowly with the number of flags: each query reads up to 500
 * flags.
 */
export async function readProjectConfig(
  reader: Reader,
  project: string,
  hidden: readonly string[],
): Promise<ProjectConfig> {
  const rows = await listSelectedFeatures(reader, { project })
  const names = rows.map(({ name }) => name)
  const environments = [...(await listProjectEnvironmentNames(reader, project))].sort(compareText)
  const templates = await listTemplates(reader)
  const tags = await readTagsOfFeatures(reader, names)
  const parents = Map.groupBy(await listParentsOfFlags(reader, names), ({ child }) => child)
  const states = await readEnvironments(reader, { project, names, environments, templates })
  return {
    project,
    environments,
    flags: new Map(
      rows.map((row) => [
        row.name,
        {
          row,
          tags: tags.get(row.name) ?? [],
          parents: parents.get(row.name) ?? [],
          environments: new Map(environments.map((environment) => [environment, states(row.name, environment)])),
        },
      ]),
    ),
    segments: (await listSegments(reader)).filter((row) => isSegmentVisible(row, hidden)),
    fields: await listContextFields(reader),
    templates: templates.filter((template) => template.archived_at === null),
    strategyTypes: new Set((await listStrategyTypes(reader)).map(({ name }) => name)),
    tagTypes: new Set(await listTagTypeNames(reader)),
  }
}

interface FlagsToRead {
  readonly project: string
  readonly names: readonly string[]
  readonly environments: readonly string[]
  readonly templates: readonly TemplateRow[]
}

async function readEnvironments(reader: Reader, { project, names, environments, templates }: FlagsToRead) {
  const keyOf = (feature: string, environment: string) => `${feature} ${environment}`
  const plans = new Map(
    (await listPlansOfProject(reader, project)).map((plan) => [keyOf(plan.feature_name, plan.environment), plan]),
  )
  const templateNames = new Map(templates.map(({ id, name }) => [id, name]))
  const states = new Map<string, (name: string) => StateRows>()
  for (const environment of environments) states.set(environment, await readStates(reader, names, environment))
  return (feature: string, environment: string): StoredEnvironment => {
    const plan = plans.get(keyOf(feature, environment))
    const state = states.get(environment)?.(feature) ?? { enabled: false, strategies: [], variants: [] }
    if (plan === undefined) return { ...state, plan: undefined }
    const ofPlan = new Set(plan.milestones.flatMap(({ strategies }) => strategies.map(({ id }) => id)))
    return {
      ...state,
      strategies: state.strategies.filter(({ id }) => !ofPlan.has(id)),
      plan: { ...plan, template: templateNames.get(plan.template_id) ?? plan.name },
    }
  }
}
