import Type, { type Static, type TSchema } from 'typebox'
import { FeatureName } from '../admin-feature.ts'
import { SortOrder } from '../environment.ts'
import { MAX_ROW_ID } from '../row-id.ts'
import { ConstraintInput } from '../targeting/constraint.ts'
import { NO_IGNORED_RESTRICTION } from '../targeting/restriction.ts'
import { SegmentId } from '../targeting/segment.ts'
import { ParameterDefinition } from '../targeting/strategy-type.ts'
import { VariantInput } from '../targeting/variant.ts'

/**
 * Schemas for exporting and importing a complete installation as one document. Source: wire protocol, version 4 of the
 * document
 */

const Name = Type.String({ minLength: 1, maxLength: 100 })
const TextOrNull = Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])
/** Maximum length of any list: 20,000 flags in 100 environments, for example, have two million states. */
const MAX_ITEMS = 10_000_000
const YesOrNull = Type.Union([Type.Boolean(), Type.Null()])
const createOptionalList = <T extends TSchema>(item: T) => Type.Optional(Type.Array(item, { maxItems: MAX_ITEMS }))

const STRATEGY = {
  title: Type.Optional(TextOrNull),
  parameters: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 65_536 }))),
  constraints: Type.Optional(Type.Array(ConstraintInput)),
  variants: Type.Optional(Type.Array(VariantInput)),
  disabled: Type.Optional(YesOrNull),
}

const StateFeature = Type.Object(
  {
    name: FeatureName,
    description: Type.Optional(TextOrNull),
    type: Type.Optional(Name),
    project: Type.Optional(Name),
    stale: Type.Optional(YesOrNull),
    impressionData: Type.Optional(YesOrNull),
    archived: Type.Optional(YesOrNull),
    createdAt: Type.Optional(TextOrNull),
    lastSeenAt: Type.Optional(TextOrNull),
    archivedAt: Type.Optional(TextOrNull),
    /**
     * Present in documents of versions 1 and 2, which have no environments: `enabled`, `strategies` and `variants` are
     * the state of the flag in the environment `default`.
     */
    enabled: Type.Optional(YesOrNull),
    strategies: Type.Optional(Type.Array(Type.Object({ name: Name, ...STRATEGY }, NO_IGNORED_RESTRICTION))),
    variants: Type.Optional(Type.Union([Type.Array(VariantInput), Type.Null()])),
  },
  NO_IGNORED_RESTRICTION,
)

const StateStrategy = Type.Object(
  {
    id: Type.Optional(Type.String()),
    featureName: FeatureName,
    projectId: Type.Optional(Type.String()),
    environment: Name,
    strategyName: Name,
    sortOrder: Type.Optional(Type.Union([Type.Integer({ minimum: -MAX_ROW_ID, maximum: MAX_ROW_ID }), Type.Null()])),
    ...STRATEGY,
  },
  NO_IGNORED_RESTRICTION,
)

const StateProject = Type.Object({
  id: Name,
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(TextOrNull),
  mode: Type.Optional(Type.String()),
  defaultStickiness: Type.Optional(Name),
})

const StateEnvironment = Type.Object({
  name: Name,
  type: Name,
  sortOrder: Type.Optional(SortOrder),
  enabled: Type.Optional(Type.Boolean()),
  protected: Type.Optional(Type.Boolean()),
})

const StateSegment = Type.Object(
  {
    id: SegmentId,
    name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
    description: Type.Optional(TextOrNull),
    project: Type.Optional(TextOrNull),
    constraints: Type.Array(ConstraintInput, { maxItems: 250 }),
  },
  NO_IGNORED_RESTRICTION,
)

/** Document with the state of a complete installation. */
export const StateDocument = Type.Object(
  {
    version: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
    features: createOptionalList(StateFeature),
    strategies: createOptionalList(
      Type.Object({
        name: Name,
        description: Type.Optional(TextOrNull),
        parameters: Type.Optional(Type.Array(ParameterDefinition)),
        deprecated: Type.Optional(YesOrNull),
        title: Type.Optional(TextOrNull),
      }),
    ),
    projects: createOptionalList(StateProject),
    tagTypes: createOptionalList(
      Type.Object({
        name: Type.String({ minLength: 2, maxLength: 50 }),
        description: Type.Optional(TextOrNull),
        icon: Type.Optional(TextOrNull),
      }),
    ),
    tags: createOptionalList(Type.Object({ type: Name, value: Type.String({ minLength: 2, maxLength: 50 }) })),
    featureTags: createOptionalList(
      Type.Object({
        featureName: FeatureName,
        tagType: Type.Optional(Name),
        type: Type.Optional(Name),
        tagValue: Type.Optional(Type.String({ minLength: 2, maxLength: 50 })),
        value: Type.Optional(Type.String({ minLength: 2, maxLength: 50 })),
      }),
    ),
    featureStrategies: createOptionalList(StateStrategy),
    environments: createOptionalList(StateEnvironment),
    featureEnvironments: createOptionalList(
      Type.Object(
        {
          featureName: FeatureName,
          environment: Name,
          enabled: Type.Optional(Type.Boolean()),
          variants: Type.Optional(Type.Union([Type.Array(VariantInput), Type.Null()])),
        },
        NO_IGNORED_RESTRICTION,
      ),
    ),
    segments: createOptionalList(StateSegment),
    featureStrategySegments: createOptionalList(
      Type.Object({ featureStrategyId: Type.String(), segmentId: SegmentId }),
    ),
  },
  NO_IGNORED_RESTRICTION,
)
export type StateDocument = Static<typeof StateDocument>

/** Boolean in the spellings that scripts use in queries. */
const YesOrNo = Type.Enum(['true', 'false', '1', '0', 'yes', 'no'])
const Part = Type.Optional(YesOrNo)

/** Returns true if a query value stands for yes. */
export function isYes(word: Static<typeof YesOrNo>): boolean {
  return word === 'true' || word === '1' || word === 'yes'
}

/**
 * Query parameters of the export: format, whether to download a file, and parts of the state (`false` omits a part).
 */
export const StateExportQuery = Type.Object({
  format: Type.Optional(Type.Enum(['json', 'yaml'])),
  download: Part,
  strategies: Part,
  featureToggles: Part,
  projects: Part,
  tags: Part,
  environments: Part,
  segments: Part,
})
export type StateExportQuery = Static<typeof StateExportQuery>

/**
 * Query parameters of the import. With `drop`, all objects that the document replaces are removed first. `keep` (the
 * default) leaves existing flags unchanged; with `keep=false`, a document that contains existing flags is rejected.
 * `closeUnguarded` turns off flags that would be on without an enabled strategy.
 */
export const StateImportQuery = Type.Object({ drop: Part, keep: Part, closeUnguarded: Part })
export type StateImportQuery = Static<typeof StateImportQuery>
