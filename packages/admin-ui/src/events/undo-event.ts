import type { Event, EventType, Tag } from '@burgee/protocol/event'
import type { GrantScope } from '@burgee/protocol/grant'
import type { TagType } from '@burgee/protocol/tag-type'
import type { ContextFieldView } from '@burgee/protocol/targeting/context-field'
import type { AdminSegment, SegmentInput } from '@burgee/protocol/targeting/segment'
import type { AdminStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { StrategyTypeView } from '@burgee/protocol/targeting/strategy-type'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import * as fields from '../api/context-fields.ts'
import * as flags from '../api/flags.ts'
import { buildPath, call } from '../api/http.ts'
import * as segments from '../api/segments.ts'
import * as strategies from '../api/strategies.ts'
import * as strategyTypes from '../api/strategy-types.ts'
import * as tagTypes from '../api/tag-types.ts'
import type { LiveEdit } from '../go-live/flag-edit.ts'
import { PLAN_UNDOS } from './plan-undos.ts'

/** Undo of an event: the required permission, the affected queries and the operation itself. */
export interface EventUndo {
  /** Name of the object that was changed. Later events with the same subject concern the same object. */
  readonly subject: string
  readonly permission: string
  /**
   * Projects and environments in which the user needs the permission. The permission is required in every project and
   * environment listed.
   */
  readonly places: readonly GrantScope[]
  /** Key prefixes of the affected queries. */
  readonly changes: readonly string[]
  readonly run: () => Promise<unknown>
  /** Edit that undoing makes to the flag in the environment of the event. */
  readonly edit?: LiveEdit
  /** True if undoing archives a flag, which turns it off in all environments. */
  readonly archives?: boolean
  /** True if undoing revives a flag, which is then off in all environments. */
  readonly bringsBack?: boolean
  /**
   * Flag that undoing turns on. The flag must have an enabled strategy, because it would otherwise be on for everyone.
   */
  readonly turnsOn?: flags.FlagEnvironment
}

type UndoFactory = (
  event: Event,
  place: flags.FlagEnvironment,
) => Omit<EventUndo, 'places' | 'changes'> & { places?: readonly GrantScope[]; changes?: readonly string[] }

const FLAG = ['flag', 'flags']

/** Data of the event that moved a flag. */
interface MoveData {
  readonly oldProject: string
  readonly newProject: string
}

/**
 * Returns the current project of a flag, given the `project` that an event names. `later` contains the later events,
 * some of which may have moved the flag.
 */
export function getCurrentProject(project: string | null, later: readonly Event[]): string | null {
  const moves = later.filter(({ type }) => type === 'feature-project-change').sort((one, other) => other.id - one.id)
  return moves[0] === undefined ? project : (moves[0].data as MoveData).newProject
}

/** Returns how to undo an event; undefined if the event cannot be undone. */
export function createUndo(event: Event): EventUndo | undefined {
  const make = UNDO_FACTORIES[event.type as EventType]
  if (make === undefined) return undefined
  const { project, environment, featureName } = event
  const place = { project: project ?? '', feature: featureName ?? '', environment: environment ?? '' }
  const where = { ...(project === null ? {} : { project }), ...(environment === null ? {} : { environment }) }
  return { places: [where], changes: FLAG, ...make(event, place) }
}

const createSwitchUndo =
  (on: boolean): UndoFactory =>
  (_event, place) => ({
    subject: `switch ${place.feature} ${place.environment}`,
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    run: () => flags.setEnabled(place, on),
    edit: { enabled: on },
    ...(on ? { turnsOn: place } : {}),
  })

const createStaleUndo =
  (isStale: boolean): UndoFactory =>
  (_event, place) => ({
    subject: `stale ${place.feature}`,
    permission: 'UPDATE_FEATURE',
    run: () => flags.patchFlag(place, [{ op: 'replace', path: '/stale', value: isStale }]),
  })

const toStrategyInput = ({ id: _, ...body }: AdminStrategy): StrategyInput => body as StrategyInput

const FLAG_UNDOS: Partial<Record<EventType, UndoFactory>> = {
  'feature-environment-enabled': createSwitchUndo(false),
  'feature-environment-disabled': createSwitchUndo(true),
  'feature-stale-on': createStaleUndo(false),
  'feature-stale-off': createStaleUndo(true),
  'feature-archived': (_event, { feature }) => ({
    subject: `archive ${feature}`,
    permission: 'UPDATE_FEATURE',
    run: () => call('POST', buildPath('api', 'admin', 'archive', 'revive', feature)),
    bringsBack: true,
  }),
  'feature-revived': (_event, place) => ({
    subject: `archive ${place.feature}`,
    permission: 'DELETE_FEATURE',
    run: () => flags.archiveFlag(place),
    archives: true,
  }),
  'feature-metadata-updated': ({ preData }, place) => ({
    subject: `metadata ${place.feature}`,
    permission: 'UPDATE_FEATURE',
    run: () =>
      flags.patchFlag(
        place,
        (['description', 'type', 'impressionData'] as const).map((name) => ({
          op: 'replace',
          path: `/${name}`,
          value: (preData as Readonly<Record<string, unknown>>)[name],
        })) as Parameters<typeof flags.patchFlag>[1],
      ),
  }),
  'feature-project-change': ({ data }, place) => ({
    subject: `project ${place.feature}`,
    permission: 'MOVE_FEATURE_TOGGLE',
    run: () => flags.moveFlag(place, (data as MoveData).oldProject),
  }),
  'feature-tagged': ({ data }, { feature }) => ({
    subject: `tag ${feature} ${JSON.stringify(data)}`,
    permission: 'UPDATE_FEATURE',
    run: () => flags.removeTag(feature, data as Tag),
  }),
  'feature-untagged': ({ preData }, { feature }) => ({
    subject: `tag ${feature} ${JSON.stringify(preData)}`,
    permission: 'UPDATE_FEATURE',
    run: () => flags.addTag(feature, preData as Tag),
  }),
}

const STRATEGY_UNDOS: Partial<Record<EventType, UndoFactory>> = {
  'feature-strategy-add': ({ data }, place) => ({
    subject: `strategy ${(data as AdminStrategy).id}`,
    permission: 'DELETE_FEATURE_STRATEGY',
    run: () => strategies.removeStrategy({ ...place, id: (data as AdminStrategy).id }),
    edit: { removeStrategy: (data as AdminStrategy).id },
  }),
  'feature-strategy-update': ({ preData }, place) => ({
    subject: `strategy ${(preData as AdminStrategy).id}`,
    permission: 'UPDATE_FEATURE_STRATEGY',
    run: () =>
      strategies.replaceStrategy(
        { ...place, id: (preData as AdminStrategy).id },
        toStrategyInput(preData as AdminStrategy),
      ),
    edit: {
      strategy: { ...toStrategyInput(preData as AdminStrategy), id: (preData as AdminStrategy).id },
    },
  }),
  'feature-strategy-remove': ({ preData }, place) => ({
    subject: `strategy ${(preData as AdminStrategy).id}`,
    permission: 'CREATE_FEATURE_STRATEGY',
    run: () => strategies.addStrategy(place, toStrategyInput(preData as AdminStrategy)),
    edit: { strategy: toStrategyInput(preData as AdminStrategy) },
  }),
  'strategy-order-changed': ({ preData }, place) => ({
    subject: `order ${place.feature} ${place.environment}`,
    permission: 'UPDATE_FEATURE_STRATEGY',
    run: () => strategies.sortStrategies(place, (preData as { strategyIds: string[] }).strategyIds),
  }),
  'feature-environment-variants-updated': ({ preData }, place) => ({
    subject: `variants ${place.feature} ${place.environment}`,
    permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    run: () => strategies.setVariants(place, (preData as { variants: VariantInput[] }).variants),
    edit: { variants: (preData as { variants: VariantInput[] }).variants },
  }),
}

const SEGMENT_UNDOS: Partial<Record<EventType, UndoFactory>> = {
  'segment-created': ({ data }) => ({
    ...createSegmentUndo('DELETE_SEGMENT', data),
    run: () => segments.removeSegment((data as AdminSegment).id),
  }),
  'segment-updated': ({ data, preData }) => ({
    ...createSegmentUndo('UPDATE_SEGMENT', preData, data),
    run: () => segments.replaceSegment((preData as AdminSegment).id, preData as SegmentInput),
  }),
  'segment-deleted': ({ preData }) => ({
    ...createSegmentUndo('CREATE_SEGMENT', preData),
    run: () => segments.createSegment(preData as SegmentInput),
  }),
}

function createSegmentUndo(permission: string, ...states: readonly unknown[]) {
  const [segment, ...others] = states as [AdminSegment, ...AdminSegment[]]
  const places = [segment, ...others].map(({ project }) => ({ project }))
  return { subject: `segment ${segment.id}`, permission, places, changes: ['segments'] }
}

const FIELD_UNDOS: Partial<Record<EventType, UndoFactory>> = {
  'context-field-created': ({ data }) => ({
    ...createFieldUndo(data, 'DELETE_CONTEXT_FIELD'),
    run: () => fields.removeField((data as ContextFieldView).name),
  }),
  'context-field-updated': ({ preData }) => ({
    ...createFieldUndo(preData, 'UPDATE_CONTEXT_FIELD'),
    run: () => fields.replaceField((preData as ContextFieldView).name, preData as ContextFieldView),
  }),
  'context-field-deleted': ({ preData }) => ({
    ...createFieldUndo(preData, 'CREATE_CONTEXT_FIELD'),
    run: () => fields.createField(preData as ContextFieldView),
  }),
  'tag-type-updated': ({ preData }) => ({
    subject: `tag type ${(preData as TagType).name}`,
    permission: 'UPDATE_TAG_TYPE',
    changes: ['tag-types'],
    run: () => tagTypes.updateTagType((preData as TagType).name, preData as TagType),
  }),
}

function createFieldUndo(state: unknown, permission: string) {
  return { subject: `context field ${(state as ContextFieldView).name}`, permission, changes: ['context-fields'] }
}

const STRATEGY_TYPE_UNDOS: Partial<Record<EventType, UndoFactory>> = {
  'strategy-created': ({ data }) => ({
    ...createStrategyTypeUndo(data, 'DELETE_STRATEGY'),
    run: () => strategyTypes.removeStrategyType((data as StrategyTypeView).name),
  }),
  'strategy-updated': ({ preData }) => ({
    ...createStrategyTypeUndo(preData, 'UPDATE_STRATEGY'),
    run: () => strategyTypes.replaceStrategyType((preData as StrategyTypeView).name, preData as StrategyTypeView),
  }),
  'strategy-deleted': ({ preData }) => ({
    ...createStrategyTypeUndo(preData, 'CREATE_STRATEGY'),
    run: () => strategyTypes.createStrategyType(preData as StrategyTypeView),
  }),
  'strategy-deprecated': ({ data }) => ({
    ...createStrategyTypeUndo(data, 'UPDATE_STRATEGY'),
    run: () => strategyTypes.setDeprecated((data as StrategyTypeView).name, false),
  }),
  'strategy-reactivated': ({ data }) => ({
    ...createStrategyTypeUndo(data, 'UPDATE_STRATEGY'),
    run: () => strategyTypes.setDeprecated((data as StrategyTypeView).name, true),
  }),
}

function createStrategyTypeUndo(state: unknown, permission: string) {
  return { subject: `strategy type ${(state as StrategyTypeView).name}`, permission, changes: ['strategy-types'] }
}

const UNDO_FACTORIES: Partial<Record<EventType, UndoFactory>> = {
  ...FLAG_UNDOS,
  ...STRATEGY_UNDOS,
  ...PLAN_UNDOS,
  ...SEGMENT_UNDOS,
  ...FIELD_UNDOS,
  ...STRATEGY_TYPE_UNDOS,
}
