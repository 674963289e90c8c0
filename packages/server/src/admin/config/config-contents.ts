import { compareText } from '@burgee/kit/compare-text'
import type {
  ContextFieldFile,
  FileEnvironment,
  FileStrategy,
  FlagFile,
  ReleaseTemplateFile,
  SegmentFile,
} from '@burgee/protocol/administration/config-files'
import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'
import type { TemplateRow } from '@burgee/storage/queries/releases/release-templates'
import type { ContextFieldRow } from '@burgee/storage/queries/targeting/context-fields'
import type { SegmentRow } from '@burgee/storage/queries/targeting/segments'
import type { StoredEnvironment, StoredFlag } from './project-config.ts'

/** Names of segments, keyed by id. */
export type SegmentNames = ReadonlyMap<number, string>

/** Converts a flag to the content of its file. Properties that have their default value are omitted. */
export function toFlagFile({ row, tags, parents, environments }: StoredFlag, segments: SegmentNames): FlagFile {
  return {
    kind: 'Flag',
    name: row.name,
    type: row.type,
    ...given('description', row.description || undefined),
    ...given('stale', row.stale === 1 || undefined),
    ...given('impressionData', row.impression_data === 1 || undefined),
    ...givenList('tags', tags.map(({ type, value }) => `${type}:${value}`).sort(compareText)),
    ...givenList(
      'dependencies',
      parents.map(({ parent, enabled, variants }) => ({
        feature: parent,
        ...given('enabled', enabled === 1 ? undefined : false),
        ...givenList('variants', variants),
      })),
    ),
    environments: Object.fromEntries([...environments].map(([name, state]) => [name, toEnvironment(state, segments)])),
  }
}

function toEnvironment({ enabled, strategies, variants, plan }: StoredEnvironment, segments: SegmentNames) {
  const active = plan?.milestones.find(({ id }) => id === plan.active_milestone_id)
  const environment: FileEnvironment = {
    enabled,
    ...givenList(
      'strategies',
      strategies.map((row) => ({
        ...toFileStrategy(row, segments),
        ...given('disabled', row.disabled === 1 || undefined),
      })),
    ),
    ...givenList('variants', variants.map(toFileVariant)),
    ...(plan === undefined ? {} : { release: { template: plan.template, ...given('milestone', active?.name) } }),
  }
  return environment
}

interface StrategyParts {
  readonly name: string
  readonly title: string | null
  readonly parameters: Readonly<Record<string, string>>
  readonly constraints: readonly Constraint[]
  readonly segments: readonly number[]
  readonly variants: readonly VariantDefinition[]
}

/** Converts a strategy to the content of a file. Properties that have their default value are omitted. */
export function toFileStrategy(row: StrategyParts, segments: SegmentNames): FileStrategy {
  const { name, title, parameters, constraints, variants } = row
  return {
    name,
    ...given('title', title || undefined),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...givenList('constraints', constraints.map(toFileConstraint)),
    ...givenList('segments', row.segments.flatMap((id) => segments.get(id) ?? []).sort(compareText)),
    ...givenList('variants', variants.map(toFileVariant)),
  }
}

function toFileConstraint({ contextName, operator, values = [], value, inverted, caseInsensitive }: Constraint) {
  return {
    contextName,
    operator,
    ...givenList('values', values),
    ...given('value', value),
    ...given('inverted', inverted || undefined),
    ...given('caseInsensitive', caseInsensitive || undefined),
  } as NonNullable<FileStrategy['constraints']>[number]
}

function toFileVariant({ name, weight, weightType, stickiness, payload, overrides = [] }: VariantDefinition) {
  return {
    name,
    weight,
    ...given('weightType', weightType),
    ...given('stickiness', stickiness),
    ...given('payload', payload),
    ...givenList('overrides', overrides),
  } as NonNullable<FileStrategy['variants']>[number]
}

/** Converts a segment to the content of its file. */
export function toSegmentFile({ name, description, project, constraints }: SegmentRow): SegmentFile {
  return {
    kind: 'Segment',
    name,
    ...given('description', description || undefined),
    ...given('project', project ?? undefined),
    constraints: constraints.map(toFileConstraint),
  }
}

/** Converts a context field to the content of its file. */
export function toContextFieldFile({ name, description, stickiness, legal_values }: ContextFieldRow): ContextFieldFile {
  return {
    kind: 'ContextField',
    name,
    ...given('description', description || undefined),
    ...given('stickiness', stickiness === 1 || undefined),
    ...givenList('legalValues', legal_values),
  }
}

/** Converts a release template to the content of its file. */
export function toTemplateFile(
  { name, description, milestones }: Pick<TemplateRow, 'name' | 'description' | 'milestones'>,
  segments: SegmentNames,
): ReleaseTemplateFile {
  return {
    kind: 'ReleaseTemplate',
    name,
    ...given('description', description || undefined),
    ...givenList(
      'milestones',
      milestones.map((milestone) => ({
        name: milestone.name,
        ...given('intervalMinutes', milestone.intervalMinutes ?? undefined),
        ...givenList(
          'strategies',
          milestone.strategies.map(({ strategyName, ...parts }) =>
            toFileStrategy({ name: strategyName, ...parts }, segments),
          ),
        ),
      })),
    ),
  }
}

/** Returns an object with the given property, or an empty object if the value is undefined. */
function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }
}

/** Returns an object with the given list, or an empty object if the list is empty. */
function givenList<K extends string, V>(key: K, list: readonly V[]): { [P in K]?: V[] } {
  return given(key, list.length === 0 ? undefined : [...list])
}
