import type { Event, EventType, Tag } from '@burgee/protocol/event'
import type { Place } from '@burgee/protocol/grant'
import type { TagType } from '@burgee/protocol/tag-type'
import type { ContextFieldView } from '@burgee/protocol/targeting/context-field'
import type { AdminSegment, SegmentInput } from '@burgee/protocol/targeting/segment'
import type { AdminStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { StrategyTypeView } from '@burgee/protocol/targeting/strategy-type'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import * as fields from '../api/context-fields.ts'
import * as flags from '../api/flags.ts'
import { call, path } from '../api/http.ts'
import * as segments from '../api/segments.ts'
import * as strategies from '../api/strategies.ts'
import * as strategyTypes from '../api/strategy-types.ts'
import * as tagTypes from '../api/tag-types.ts'

/** Undo of an event: required permission, affected queries and the operation. */
export interface Undo {
  /** Name of the thing that was changed. Later events with the same subject changed the same thing. */
  readonly subject: string
  readonly permission: string
  /** Projects and environments in which the user needs the permission. All of them are required. */
  readonly places: readonly Place[]
  /** Key prefixes of the affected queries. */
  readonly changes: readonly string[]
  readonly run: () => Promise<unknown>
  /** True if the undo revives a flag, which is then off in all environments. */
  readonly bringsBack?: boolean
  /** Flag that the undo turns on. It needs an enabled strategy, because it would otherwise be on for everyone. */
  readonly turnsOn?: flags.FlagPlace
}

type Maker = (
  event: Event,
  place: flags.FlagPlace,
) => Omit<Undo, 'places' | 'changes'> & { places?: readonly Place[]; changes?: readonly string[] }

const FLAG = ['flag', 'flags']

/** Data of the event of a moved flag. */
interface Move {
  readonly oldProject: string
  readonly newProject: string
}

/** Returns the current project of a flag whose event happened in `project`. Later events may have moved it. */
export function projectAfter(project: string | null, later: readonly Event[]): string | null {
  const moves = later.filter(({ type }) => type === 'feature-project-change').sort((one, other) => other.id - one.id)
  return moves[0] === undefined ? project : (moves[0].data as Move).newProject
}

/** Returns how to undo an event; undefined if that is impossible. */
export function undoOf(event: Event): Undo | undefined {
  const make = MAKERS[event.type as EventType]
  if (make === undefined) return undefined
  const { project, environment, featureName } = event
  const place = { project: project ?? '', feature: featureName ?? '', environment: environment ?? '' }
  const where = { ...(project === null ? {} : { project }), ...(environment === null ? {} : { environment }) }
  return { places: [where], changes: FLAG, ...make(event, place) }
}

const turn =
  (on: boolean): Maker =>
  (_event, place) => ({
    subject: `switch ${place.feature} ${place.environment}`,
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    run: () => flags.setEnabled(place, on),
    ...(on ? { turnsOn: place } : {}),
  })

const stale =
  (isStale: boolean): Maker =>
  (_event, place) => ({
    subject: `stale ${place.feature}`,
    permission: 'UPDATE_FEATURE',
    run: () => flags.patchFlag(place, [{ op: 'replace', path: '/stale', value: isStale }]),
  })

const inputOf = ({ id: _, ...body }: AdminStrategy): StrategyInput => body as StrategyInput

const OF_FLAGS: Partial<Record<EventType, Maker>> = {
  'feature-environment-enabled': turn(false),
  'feature-environment-disabled': turn(true),
  'feature-stale-on': stale(false),
  'feature-stale-off': stale(true),
  'feature-archived': (_event, { feature }) => ({
    subject: `archive ${feature}`,
    permission: 'UPDATE_FEATURE',
    run: () => call('POST', path('api', 'admin', 'archive', 'revive', feature)),
    bringsBack: true,
  }),
  'feature-revived': (_event, place) => ({
    subject: `archive ${place.feature}`,
    permission: 'DELETE_FEATURE',
    run: () => flags.archiveFlag(place),
  }),
  'feature-metadata-updated': ({ preData }, place) => ({
    subject: `metadata ${place.feature}`,
    permission: 'UPDATE_FEATURE',
    run: () =>
      flags.patchFlag(
        place,
        (['description', 'type', 'impressionData'] as const).map((name) => ({
          ...{ op: 'replace', path: `/${name}` },
          value: (preData as Readonly<Record<string, unknown>>)[name],
        })) as Parameters<typeof flags.patchFlag>[1],
      ),
  }),
  'feature-project-change': ({ data }, place) => ({
    subject: `project ${place.feature}`,
    permission: 'MOVE_FEATURE_TOGGLE',
    run: () => flags.moveFlag(place, (data as Move).oldProject),
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

const OF_STRATEGIES: Partial<Record<EventType, Maker>> = {
  'feature-strategy-add': ({ data }, place) => ({
    subject: `strategy ${(data as AdminStrategy).id}`,
    permission: 'DELETE_FEATURE_STRATEGY',
    run: () => strategies.removeStrategy({ ...place, id: (data as AdminStrategy).id }),
  }),
  'feature-strategy-update': ({ preData }, place) => ({
    subject: `strategy ${(preData as AdminStrategy).id}`,
    permission: 'UPDATE_FEATURE_STRATEGY',
    run: () =>
      strategies.replaceStrategy({ ...place, id: (preData as AdminStrategy).id }, inputOf(preData as AdminStrategy)),
  }),
  'feature-strategy-remove': ({ preData }, place) => ({
    subject: `strategy ${(preData as AdminStrategy).id}`,
    permission: 'CREATE_FEATURE_STRATEGY',
    run: () => strategies.addStrategy(place, inputOf(preData as AdminStrategy)),
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
  }),
}

const OF_SEGMENTS: Partial<Record<EventType, Maker>> = {
  'segment-created': ({ data }) => ({
    ...segmentOf('DELETE_SEGMENT', data),
    run: () => segments.removeSegment((data as AdminSegment).id),
  }),
  'segment-updated': ({ data, preData }) => ({
    ...segmentOf('UPDATE_SEGMENT', preData, data),
    run: () => segments.replaceSegment((preData as AdminSegment).id, preData as SegmentInput),
  }),
  'segment-deleted': ({ preData }) => ({
    ...segmentOf('CREATE_SEGMENT', preData),
    run: () => segments.createSegment(preData as SegmentInput),
  }),
}

function segmentOf(permission: string, ...states: readonly unknown[]) {
  const [segment, ...others] = states as [AdminSegment, ...AdminSegment[]]
  const places = [segment, ...others].map(({ project }) => ({ project }))
  return { subject: `segment ${segment.id}`, permission, places, changes: ['segments'] }
}

const OF_FIELDS: Partial<Record<EventType, Maker>> = {
  'context-field-created': ({ data }) => ({
    ...fieldOf(data, 'DELETE_CONTEXT_FIELD'),
    run: () => fields.removeField((data as ContextFieldView).name),
  }),
  'context-field-updated': ({ preData }) => ({
    ...fieldOf(preData, 'UPDATE_CONTEXT_FIELD'),
    run: () => fields.replaceField((preData as ContextFieldView).name, preData as ContextFieldView),
  }),
  'context-field-deleted': ({ preData }) => ({
    ...fieldOf(preData, 'CREATE_CONTEXT_FIELD'),
    run: () => fields.createField(preData as ContextFieldView),
  }),
  'tag-type-updated': ({ preData }) => ({
    subject: `tag type ${(preData as TagType).name}`,
    permission: 'UPDATE_TAG_TYPE',
    changes: ['tag-types'],
    run: () => tagTypes.updateTagType((preData as TagType).name, preData as TagType),
  }),
}

function fieldOf(state: unknown, permission: string) {
  return { subject: `context field ${(state as ContextFieldView).name}`, permission, changes: ['context-fields'] }
}

const OF_TYPES: Partial<Record<EventType, Maker>> = {
  'strategy-created': ({ data }) => ({
    ...typeOf(data, 'DELETE_STRATEGY'),
    run: () => strategyTypes.removeStrategyType((data as StrategyTypeView).name),
  }),
  'strategy-updated': ({ preData }) => ({
    ...typeOf(preData, 'UPDATE_STRATEGY'),
    run: () => strategyTypes.replaceStrategyType((preData as StrategyTypeView).name, preData as StrategyTypeView),
  }),
  'strategy-deleted': ({ preData }) => ({
    ...typeOf(preData, 'CREATE_STRATEGY'),
    run: () => strategyTypes.createStrategyType(preData as StrategyTypeView),
  }),
  'strategy-deprecated': ({ data }) => ({
    ...typeOf(data, 'UPDATE_STRATEGY'),
    run: () => strategyTypes.setDeprecated((data as StrategyTypeView).name, false),
  }),
  'strategy-reactivated': ({ data }) => ({
    ...typeOf(data, 'UPDATE_STRATEGY'),
    run: () => strategyTypes.setDeprecated((data as StrategyTypeView).name, true),
  }),
}

function typeOf(state: unknown, permission: string) {
  return { subject: `strategy type ${(state as StrategyTypeView).name}`, permission, changes: ['strategy-types'] }
}

const MAKERS: Partial<Record<EventType, Maker>> = {
  ...OF_FLAGS,
  ...OF_STRATEGIES,
  ...OF_SEGMENTS,
  ...OF_FIELDS,
  ...OF_TYPES,
}
