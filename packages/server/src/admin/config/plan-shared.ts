import { compareText } from '@burgee/kit/compare-text'
import type {
  ContextFieldFile,
  FileStrategy,
  ReleaseTemplateFile,
  SegmentFile,
} from '@burgee/protocol/administration/config-files'
import type { MilestoneInput, ReleaseTemplateInput } from '@burgee/protocol/administration/release-plan'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { ContextFieldRow } from '@burgee/storage/queries/targeting/context-fields'
import type { SegmentRow } from '@burgee/storage/queries/targeting/segments'
import { normalizeStrategy } from '../flags/strategy-checks.ts'
import { createTemplate, replaceTemplate } from '../releases/release-templates.ts'
import { checkConstraints } from '../targeting/constraints.ts'
import { createContextField, replaceContextField } from '../targeting/context-fields.ts'
import { areSameConstraints } from '../targeting/same-strategy.ts'
import { createSegment } from '../targeting/segments.ts'
import { toContextFieldFile, toFileStrategy, toTemplateFile } from './config-contents.ts'
import type { ConfigMistakes } from './config-mistakes.ts'
import type { ConfigReferences } from './config-references.ts'
import { type ConfigStep, type CreatedIds, resolveIds } from './config-steps.ts'
import type { ParsedFile } from './parse-config-file.ts'
import type { ProjectConfig } from './project-config.ts'
import { writeConfigYaml } from './write-config-yaml.ts'

/**
 * State of the project, objects that names refer to, and mistakes found so far: the common input for planning each
 * object.
 */
export interface Planning {
  readonly config: ProjectConfig
  readonly references: ConfigReferences
  readonly mistakes: ConfigMistakes
  /** Protected environments in which the actor needs a change request. */
  readonly guarded: readonly string[]
  /** Environment to which the plan is limited; undefined for all environments. */
  readonly environment: string | undefined
}

const NO_STEP: readonly ConfigStep[] = []

/** Plans a context field. */
export function planContextField(
  { config }: Planning,
  { content }: ParsedFile<ContextFieldFile>,
): readonly ConfigStep[] {
  const { name, description = null, stickiness = false, legalValues = [] } = content
  const before: ContextFieldRow | undefined = config.fields.find((row) => row.name === name)
  const step = { kind: 'ContextField', name, phase: 'shared', affects: 'none', changes: [], content } as const
  const body = { description, stickiness, legalValues }
  if (before === undefined) {
    return [
      {
        ...step,
        isCreation: true,
        sentence: `Creates the context field "${name}".`,
        permissions: [{ name: 'CREATE_CONTEXT_FIELD' }],
        run: async (tx, context) =>
          (await createContextField(tx, { name, description, stickiness, legalValues }, context)).events,
      },
    ]
  }
  if (writeConfigYaml(toContextFieldFile(before)) === writeConfigYaml(content)) return NO_STEP
  return [
    {
      ...step,
      sentence: `Changes the context field "${name}".`,
      permissions: [{ name: 'UPDATE_CONTEXT_FIELD' }],
      run: async (tx, context) => (await replaceContextField(tx, { name, body }, context)).events,
    },
  ]
}

/** Plans a segment. */
export function planSegment(planning: Planning, file: ParsedFile<SegmentFile>): readonly ConfigStep[] {
  const { config, mistakes, references } = planning
  const { name, description = null, project = null, constraints: given } = file.content
  if (project !== null && project !== config.project) {
    mistakes.add(file, ['project'], `must be "${config.project}", or omitted for a segment of all projects`)
    return NO_STEP
  }
  const before = config.segments.find((row) => row.name === name)
  if (before !== undefined && before.project !== null && before.project !== config.project) {
    mistakes.add(file, ['name'], `The segment "${name}" belongs to another project.`)
    return NO_STEP
  }
  const constraints = mistakes.collect(file, [], () => checkConstraints(given, { stored: before?.constraints }))
  if (constraints === undefined) return NO_STEP
  const body = { name, description, project, constraints: constraints as SegmentFile['constraints'] }
  if (before !== undefined) return planSegmentChange(before, body)
  const placeholder = references.addSegment(file)
  return [
    {
      kind: 'Segment',
      name,
      phase: 'shared',
      isCreation: true,
      affects: 'none',
      changes: [],
      content: body,
      sentence: `Creates the segment "${name}".`,
      permissions: [{ name: 'CREATE_SEGMENT', project }],
      run: async (tx, context, ids) => {
        const { result, events } = await createSegment(tx, body, context)
        ids.segments.set(placeholder, result.id)
        return events
      },
    },
  ]
}

type SegmentBody = Pick<SegmentFile, 'name' | 'constraints'> & {
  readonly description: string | null
  readonly project: string | null
}

function planSegmentChange(before: SegmentRow, body: SegmentBody): readonly ConfigStep[] {
  const { id, name } = before
  const { description, project, constraints } = body
  const isSame =
    (before.description || null) === (body.description || null) &&
    before.project === body.project &&
    areSameConstraints(before.constraints, body.constraints)
  if (isSame) return NO_STEP
  const projects = [...new Set([before.project, body.project])]
  const from = before.constraints.length
  const to = body.constraints.length
  const effect = to === 0 && from > 0 ? ' It then matches every user.' : ''
  return [
    {
      kind: 'Segment',
      name,
      phase: 'shared',
      affects: { segment: id },
      sentence: `Changes the segment "${name}" wherever it is used (constraints: ${from} before, ${to} after).${effect}`,
      permissions: projects.map((project) => ({ name: 'UPDATE_SEGMENT', project })),
      // the reader of the plan has seen that this segment loses its constraints, so no further confirmation is needed
      changes: [
        { action: 'updateSegment', payload: { id, name, description, project, constraints, allowEmpty: true } },
      ],
    },
  ]
}

/** Plans a release template. */
export function planTemplate(planning: Planning, file: ParsedFile<ReleaseTemplateFile>): readonly ConfigStep[] {
  const { config, references, mistakes } = planning
  const { name, description = null } = file.content
  const [before, ...others] = config.templates.filter((row) => row.name === name)
  if (others.length > 0) {
    mistakes.add(file, ['name'], `Several release templates are named "${name}".`)
    return NO_STEP
  }
  const planned = planMilestones(planning, file)
  const milestones = planned.map(({ input }) => input)
  // a plan for one environment creates shared objects but does not change existing ones
  if (before !== undefined && planning.environment !== undefined) return NO_STEP
  const body: ReleaseTemplateInput = { name, description, milestones }
  const step = { kind: 'ReleaseTemplate', name, phase: 'shared', affects: 'none', changes: [], content: body } as const
  const placeholder = references.addTemplate(file)
  if (before === undefined) {
    return [
      {
        ...step,
        isCreation: true,
        sentence: `Creates the release template "${name}".`,
        permissions: [{ name: 'RELEASE_PLAN_TEMPLATE_CREATE' }],
        run: async (tx, context, ids) => {
          const { result, events } = await createTemplate(tx, resolveTemplate(body, ids), context)
          ids.templates.set(placeholder, result.id)
          return events
        },
      },
    ]
  }
  const segments = new Map(config.segments.map((row) => [row.id, row.name]))
  const exported: ReleaseTemplateFile = {
    kind: 'ReleaseTemplate',
    name,
    ...(description ? { description } : {}),
    ...(planned.length === 0 ? {} : { milestones: planned.map((one) => one.exported) }),
  }
  if (writeConfigYaml(toTemplateFile(before, segments)) === writeConfigYaml(exported)) return NO_STEP
  return [
    {
      ...step,
      sentence: `Changes the release template "${name}". Existing release plans keep their milestones.`,
      permissions: [{ name: 'RELEASE_PLAN_TEMPLATE_UPDATE' }],
      run: async (tx, context, ids) =>
        (await replaceTemplate(tx, { id: before.id, body: resolveTemplate(body, ids) }, context)).events,
    },
  ]
}

/** Returns a release template in which the ids of objects that the plan has created replace their placeholders. */
function resolveTemplate(
  { milestones = [], ...template }: ReleaseTemplateInput,
  ids: CreatedIds,
): ReleaseTemplateInput {
  return {
    ...template,
    milestones: milestones.map(({ strategies = [], ...milestone }) => ({
      ...milestone,
      strategies: strategies.map(
        (one) => resolveIds({ action: 'addStrategy', payload: one as never }, ids).payload as never,
      ),
    })),
  }
}

/** Milestone of a file, as it is sent to the release template, and as an export would write it. */
interface PlannedMilestone {
  readonly input: MilestoneInput
  readonly exported: NonNullable<ReleaseTemplateFile['milestones']>[number]
}

function planMilestones(
  { references, mistakes, config }: Planning,
  file: ParsedFile<ReleaseTemplateFile>,
): PlannedMilestone[] {
  const flag = { project: config.project, feature: '' }
  const planStrategy = (property: readonly (string | number)[], strategy: FileStrategy) => {
    const input = references.toStrategyInput(file, property, strategy, null)
    const checked = mistakes.collect(file, property, () => normalizeStrategy(flag, input, []))
    if (checked === undefined) return []
    const { name: strategyName, disabled: _none, sortOrder: _order, ...parts } = input
    return [{ input: { strategyName, ...parts }, exported: toExportedStrategy(strategy, checked) }]
  }
  return (file.content.milestones ?? []).map(({ name, intervalMinutes, strategies = [] }, at) => {
    const planned = strategies.flatMap((one, index) => planStrategy(['milestones', at, 'strategies', index], one))
    return {
      input: {
        name,
        transitionCondition: intervalMinutes === undefined ? null : { intervalMinutes },
        strategies: planned.map(({ input }) => input),
      },
      exported: {
        name,
        ...(intervalMinutes === undefined ? {} : { intervalMinutes }),
        ...(planned.length === 0 ? {} : { strategies: planned.map(({ exported }) => exported) }),
      },
    }
  })
}

const NO_NAMES: ReadonlyMap<number, string> = new Map()

/** Returns a strategy of a file as an export would write it: with values in canonical form, and in the stored order. */
function toExportedStrategy(strategy: FileStrategy, checked: StrategyInput): FileStrategy {
  const { name, title = null, parameters = {}, segments = [] } = strategy
  const { constraints = [], variants = [] } = checked as Pick<StoredParts, 'constraints' | 'variants'>
  const parts = toFileStrategy({ name, title, parameters, constraints, variants, segments: [] }, NO_NAMES)
  return segments.length === 0 ? parts : { ...parts, segments: segments.toSorted(compareText) }
}

type StoredParts = Parameters<typeof toFileStrategy>[0]
